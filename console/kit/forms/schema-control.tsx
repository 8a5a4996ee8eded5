import { Button, Input } from '@arco-design/web-react'
import { useData } from '../../api/use-data.ts'
import { formatQuota } from '../../format/quota.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { confirm, type ConfirmOptions } from '../confirm.tsx'
import { QuotaInput, useQuotaStyle } from '../values/quota.tsx'
import { GrowingText } from '../growing-text.tsx'
import { JsonField } from './json-field.tsx'
import { NumberInput } from './number-input.tsx'
import { FieldFault } from './read-number.ts'
import { RichTextField } from './rich-text-field.tsx'
import { choicesOf, type FieldSchema, kindOf, toWire } from './schema.ts'
import { SecretInput } from './secret-input.tsx'
import { MultiSelect, Select } from './select.tsx'
import { Toggle } from './toggle.tsx'

export interface SchemaControlProps {
  id: string
  label: string
  field: FieldSchema
  value: unknown
  onChange(value: unknown): void
  placeholder?: string
  /** The question that is asked before a switch with `confirmOff` goes off. */
  confirmOff?: () => ConfirmOptions
  /** The label of a choice. */
  choiceLabel?: (value: string) => string
  isSecretSet: boolean
  disabled?: boolean
}

/** The control for a schema. */
export function SchemaControl(props: SchemaControlProps) {
  const kind = kindOf(props.field)
  switch (kind) {
    case 'switch':
      return <SwitchControl {...props} />
    case 'auto-switch':
      return <AutoSwitchControl {...props} />
    case 'number':
    case 'quota':
      return <AmountControl {...props} isQuota={kind === 'quota'} />
    case 'list':
    case 'tags':
      return <ListControl {...props} isText={kind === 'tags'} />
    case 'choice':
    case 'secret':
      return <PlainControl {...props} />
    default:
      return <TextControl {...props} />
  }
}

function SwitchControl(props: SchemaControlProps) {
  const { id, field, value, onChange, disabled } = props
  const change = async (isOn: boolean) => {
    const question = field['x-ui']?.confirmOff && !isOn ? props.confirmOff : undefined
    if (question && !(await confirm(question))) return
    onChange(isOn)
  }
  return (
    <Toggle
      id={id}
      checked={value === true}
      onChange={(isOn) => void change(isOn)}
      disabled={disabled}
    />
  )
}

function AutoSwitchControl({ id, label, value, onChange, disabled }: SchemaControlProps) {
  const t = useTexts()
  return (
    <Select
      id={id}
      label={label}
      value={typeof value === 'boolean' ? String(value) : 'auto'}
      onChange={(next) => onChange(next === 'auto' ? undefined : next === 'true')}
      choices={[
        { value: 'auto', label: t('schema.auto') },
        { value: 'true', label: t('schema.on') },
        { value: 'false', label: t('schema.off') },
      ]}
      disabled={disabled}
    />
  )
}

function AmountControl({ isQuota, ...props }: SchemaControlProps & { isQuota: boolean }) {
  const { id, field, value, onChange, disabled } = props
  const { unit, presets = [] } = field['x-ui'] ?? {}
  const t = useTexts()
  const style = useQuotaStyle()
  const number = typeof value === 'number' ? value : undefined
  const nameOf = (preset: string | number) =>
    isQuota
      ? formatQuota(Number(preset), style)
      : [preset, unitText(t, unit)].filter(Boolean).join(' ')
  return (
    <div className="schema-amount">
      {isQuota ? (
        <QuotaInput id={id} value={number} onChange={onChange} disabled={disabled} />
      ) : (
        <FieldFault value={undefined}>
          <NumberInput
            id={id}
            value={number}
            onChange={onChange}
            min={field.minimum}
            max={field.maximum}
            precision={field.type === 'integer' ? 0 : undefined}
            suffix={unitText(t, unit)}
            placeholder={props.placeholder}
            disabled={disabled}
          />
        </FieldFault>
      )}
      {presets.map((preset) => (
        <Button key={preset} size="mini" disabled={disabled} onClick={() => onChange(preset)}>
          {nameOf(preset)}
        </Button>
      ))}
    </div>
  )
}

function unitText(t: ReturnType<typeof useTexts>, unit: string | undefined): string | undefined {
  if (unit === undefined) return undefined
  return t.has(`units.${unit}`) ? t(`units.${unit}`) : unit
}

function ListControl({ isText, ...props }: SchemaControlProps & { isText: boolean }) {
  const { id, label, field, value, onChange, disabled } = props
  const { choicesFrom } = field['x-ui'] ?? {}
  const offered = useData<string[]>(choicesFrom ?? '', {
    isEnabled: choicesFrom !== undefined,
    staleMs: 60_000,
  })
  const entries = isText ? splitTags(toWire(value)) : Array.isArray(value) ? value.map(String) : []
  return (
    <MultiSelect
      id={id}
      label={label}
      value={entries}
      onChange={(next) => onChange(isText ? next.join(',') : next)}
      choices={choicesOf(field.items ?? {}) ?? offered.data ?? []}
      source={choicesFrom === undefined ? undefined : offered}
      placeholder={props.placeholder}
      isOpen
      disabled={disabled}
    />
  )
}

function splitTags(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function PlainControl(props: SchemaControlProps) {
  const { id, label, field, value, onChange, disabled } = props
  const shared = { id, onChange, disabled }
  if (kindOf(field) === 'secret')
    return (
      <SecretInput
        {...shared}
        value={value === undefined ? undefined : toWire(value)}
        isSet={props.isSecretSet}
        isLong={field['x-ui']?.widget === 'textarea'}
        placeholder={props.placeholder}
      />
    )
  const choices = (choicesOf(field) ?? []).map((choice) => ({
    value: choice,
    label: props.choiceLabel?.(choice),
  }))
  return (
    <Select
      {...shared}
      label={label}
      value={toWire(value) || undefined}
      choices={choices}
      placeholder={props.placeholder}
      // Without a default, no choice is a choice.
      isClearable={field.default === undefined}
    />
  )
}

function TextControl({ id, field, value, onChange, placeholder, disabled }: SchemaControlProps) {
  const t = useTexts()
  const text = toWire(value)
  const kind = kindOf(field)
  const shared = { id, value: text, onChange, placeholder, disabled }
  if (kind === 'map' || kind === 'json') {
    const shipped = isBlankJson(field.default) ? undefined : field.default
    const example = field['x-ui']?.example
    const isList = field.type === 'array'
    return (
      <JsonField
        {...shared}
        isMap={kind === 'map'}
        isList={isList}
        example={example}
        shipped={shipped}
      />
    )
  }
  if (kind === 'rich-text') return <RichTextField {...shared} />
  if (kind === 'text') return <Input {...shared} maxLength={field.maxLength} />
  const lines = text.split('\n').filter((line) => line.trim() !== '').length
  return (
    <>
      <GrowingText
        {...shared}
        className={kind === 'textarea' ? undefined : 'code'}
        minRows={3}
        maxRows={16}
        spellCheck={kind === 'textarea'}
      />
      {kind === 'lines' ? (
        <p className="schema-help">{t('schema.lines', { count: lines })}</p>
      ) : null}
    </>
  )
}

function isBlankJson(value: unknown): boolean {
  return value === undefined || ['{}', '[]'].includes(JSON.stringify(value))
}
