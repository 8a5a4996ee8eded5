import { Button, Input } from '@arco-design/web-react'
import { useId, useState } from 'react'
import { type FieldSchema, JsonField, SchemaForm, Toggle, useTexts } from '#console'
import { readSetting, type Setting, writeSetting } from './setting-json.ts'

/** Keys that every channel knows. */
const flags = ['force_format', 'thinking_to_content', 'multi_key'] as const

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
  namespace,
  secretsSet = [],
}: SettingFieldProps) {
  const t = useTexts('channels')
  const [isText, setText] = useState(false)
  const setting = readSetting(value)
  const set = (changes: Setting) =>
    onChange?.(writeSetting({ ...setting, ...changes }, secretsOf(settings)))
  return (
    <div className="channel-setting">
      {setting && !isText ? (
        <>
          {flags.map((flag) => (
            <Flag key={flag} flag={flag} setting={setting} onChange={set} />
          ))}
          <ProxyInput setting={setting} onChange={set} />
          {settings ? (
            <SchemaForm
              schema={settings}
              namespace={namespace}
              secretsSet={secretsSet}
              value={setting}
              onChange={(next, key) => set({ [key]: next[key] })}
            />
          ) : null}
        </>
      ) : (
        <JsonField label={t('field.setting')} value={value} onChange={onChange} rows={4} />
      )}
      <Button size="mini" disabled={!setting} onClick={() => setText(!isText)}>
        {t(isText ? 'setting.asForm' : 'setting.asJson')}
      </Button>
    </div>
  )
}

interface PartProps {
  setting: Setting
  onChange(changes: Setting): void
}

function Flag({ flag, setting, onChange }: PartProps & { flag: (typeof flags)[number] }) {
  const t = useTexts('channels')
  return (
    <div className="channel-flag">
      <Toggle
        size="small"
        label={t(`setting.${flag}`)}
        checked={setting[flag] === true}
        onChange={(isOn) => onChange({ [flag]: isOn || undefined })}
      />
      <div>
        {t(`setting.${flag}`)}
        <small>{t(`settingHelp.${flag}`)}</small>
      </div>
    </div>
  )
}

function ProxyInput({ setting, onChange }: PartProps) {
  const t = useTexts('channels')
  const id = useId()
  return (
    <div className="channel-proxy">
      <label htmlFor={id}>{t('setting.proxy')}</label>
      <Input
        id={id}
        className="code"
        value={typeof setting.proxy === 'string' ? setting.proxy : ''}
        onChange={(proxy) => onChange({ proxy: proxy.trim() })}
        placeholder="socks5://user:password@host:1080"
        spellCheck={false}
      />
      <small>{t('settingHelp.proxy')}</small>
    </div>
  )
}

function secretsOf(settings: FieldSchema | null): string[] {
  return Object.entries(settings?.properties ?? {}).flatMap(([name, field]) =>
    field['x-ui']?.secret ? [name] : [],
  )
}
