import { Button } from '@arco-design/web-react'
import { useEffect, useRef, useState } from 'react'
import { type FieldSchema, JsonField, SchemaForm, useTexts } from '#console'
import { useCommonSettings } from '../channel-types.ts'
import { readSetting, type Setting, writeSetting } from './setting-json.ts'

/** What the server said of one setting in this text. */
export interface SettingFault {
  key: string
  message: string
  text: string
}

interface SettingFieldProps {
  value?: string
  onChange?: (text: string) => void
  /** The schema of the keys that this channel type reads beside the common ones. */
  settings: FieldSchema | null
  namespace: string | undefined
  /** Names of secrets that the server holds. */
  secretsSet?: readonly string[] | undefined
  /** Those secrets would go to another host, which the server refuses. */
  isMoved?: boolean
  fault?: SettingFault | undefined
}

/** The `setting` JSON as switches and fields, with the text itself for everything else. */
export function SettingField({
  value = '',
  onChange,
  settings,
  namespace = 'channels',
  secretsSet = [],
  isMoved = false,
  fault,
}: SettingFieldProps) {
  const t = useTexts('channels')
  const [isText, setText] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => focusOption(box.current, fault), [fault])
  const common = useCommonSettings()?.properties ?? {}
  const setting = readSetting(value)
  const properties = { ...settings?.properties, ...common }
  const moved = isMoved ? secretsSet.filter((name) => !Object.hasOwn(setting ?? {}, name)) : []
  const told = fault?.text === value ? fault : undefined
  const faults = {
    ...(told ? { [told.key]: told.message } : {}),
    ...Object.fromEntries(moved.map((name) => [name, t('help.secretAgain')])),
  }
  return (
    <div className="channel-setting" ref={box}>
      {setting && !isText ? (
        <SchemaForm
          schema={{ properties }}
          namespace={(key) => (Object.hasOwn(common, key) ? 'channels' : namespace)}
          secretsSet={secretsSet}
          faults={faults}
          value={{ ...defaultsOf(properties), ...setting }}
          onChange={(next, key) =>
            onChange?.(writeSetting({ ...setting, [key]: next[key] }, secretsOf(properties)))
          }
        />
      ) : (
        <>
          <JsonField label={t('field.setting')} value={value} onChange={onChange} rows={4} />
          {told ? (
            <p className="schema-fault" role="alert">
              {told.message}
            </p>
          ) : null}
        </>
      )}
      <Button size="mini" disabled={!setting} onClick={() => setText(!isText)}>
        {t(isText ? 'setting.asForm' : 'setting.asJson')}
      </Button>
    </div>
  )
}

type Properties = Readonly<Record<string, FieldSchema>>

function secretsOf(properties: Properties): string[] {
  return Object.entries(properties).flatMap(([name, field]) =>
    field['x-ui']?.secret ? [name] : [],
  )
}

/** What holds where the setting says nothing. */
function defaultsOf(properties: Properties): Setting {
  const given = Object.entries(properties).filter(([, field]) => field.default !== undefined)
  return Object.fromEntries(given.map(([name, field]) => [name, field.default]))
}

/** Shows the control of the setting that was refused, and puts the cursor there. */
function focusOption(box: HTMLElement | null, fault: SettingFault | undefined): void {
  if (!box || !fault) return
  box.closest('details')?.setAttribute('open', '')
  const options = [...box.querySelectorAll<HTMLElement>('[data-option]')]
  const place = options.find(({ dataset }) => dataset['option'] === fault.key) ?? box
  place.scrollIntoView({ block: 'center' })
  place
    .querySelector<HTMLElement>('input, textarea, button, [role=combobox]')
    ?.focus({ preventScroll: true })
}
