import { Button } from '@arco-design/web-react'
import { useState } from 'react'
import { type FieldSchema, JsonField, SchemaForm, useTexts } from '#console'
import { useCommonSettings } from '../channel-types.ts'
import { readSetting, type Setting, writeSetting } from './setting-json.ts'

interface SettingFieldProps {
  value?: string
  onChange?: (text: string) => void
  /** The schema of the keys that this channel type reads beside the common ones. */
  settings: FieldSchema | null
  namespace: string | undefined
  /** Names of secrets that the server holds. */
  secretsSet?: readonly string[] | undefined
}

/** The `setting` JSON as switches and fields, with the text itself for everything else. */
export function SettingField({
  value = '',
  onChange,
  settings,
  namespace = 'channels',
  secretsSet = [],
}: SettingFieldProps) {
  const t = useTexts('channels')
  const [isText, setText] = useState(false)
  const common = useCommonSettings()?.properties ?? {}
  const setting = readSetting(value)
  const schema = { properties: { ...settings?.properties, ...common } }
  return (
    <div className="channel-setting">
      {setting && !isText ? (
        <SchemaForm
          schema={schema}
          namespace={(key) => (Object.hasOwn(common, key) ? 'channels' : namespace)}
          secretsSet={secretsSet}
          value={{ ...defaultsOf(schema), ...setting }}
          onChange={(next, key) =>
            onChange?.(writeSetting({ ...setting, [key]: next[key] }, secretsOf(schema)))
          }
        />
      ) : (
        <JsonField label={t('field.setting')} value={value} onChange={onChange} rows={4} />
      )}
      <Button size="mini" disabled={!setting} onClick={() => setText(!isText)}>
        {t(isText ? 'setting.asForm' : 'setting.asJson')}
      </Button>
    </div>
  )
}

/** What is in force where the setting says nothing. */
function defaultsOf(schema: FieldSchema): Setting {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      field.default === undefined ? [] : [[name, field.default]],
    ),
  )
}

function secretsOf(schema: FieldSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    field['x-ui']?.secret ? [name] : [],
  )
}
