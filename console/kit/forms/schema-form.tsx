import { Input } from '@arco-design/web-react'
import { useId } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { JsonField } from './json-field.tsx'
import { NumberInput } from './number-input.tsx'
import { choicesOf, type FieldSchema, faultOf, kindOf } from './schema.ts'
import { MultiSelect, Select } from './select.tsx'
import { SecretInput } from './secret-input.tsx'
import { Toggle } from './toggle.tsx'

export type SchemaValues = Record<string, unknown>

export interface SchemaFormProps {
  /** An object schema; hidden fields are not drawn. */
  schema: FieldSchema
  value?: SchemaValues
  onChange?: (value: SchemaValues, changed: string) => void
  /** Plugin id: labels are its texts `options.<key>`, help `optionHelp.<key>`. */
  namespace?: string
  /** Secrets that the server holds a value for. */
  secretsSet?: readonly string[]
  /** Sentences of the server, by key. */
  faults?: Readonly<Record<string, string>>
  disabled?: boolean
}

/** A form drawn from a JSON schema: one labelled control a property. */
export function SchemaForm(props: SchemaFormProps) {
  const { schema, value = {}, onChange } = props
  return (
    <div className="schema-form">
      {Object.entries(schema.properties ?? {})
        .filter(([, field]) => !field['x-ui']?.hidden)
        .map(([key, field]) => (
          <SchemaField
            key={key}
            {...props}
            name={key}
            field={field}
            current={value[key]}
            isRequired={schema.required?.includes(key) && field.default === undefined}
            onSet={(next) => onChange?.({ ...value, [key]: next }, key)}
          />
        ))}
    </div>
  )
}

interface SchemaFieldProps extends SchemaFormProps {
  name: string
  field: FieldSchema
  current: unknown
  isRequired?: boolean
  onSet(value: unknown): void
}

function SchemaField(props: SchemaFieldProps) {
  const { name, field, namespace, current } = props
  const t = useTexts(namespace)
  const id = useId()
  const label = t.has(`options.${name}`) ? t(`options.${name}`) : (field.title ?? wordsOf(name))
  const help = t.has(`optionHelp.${name}`) ? t(`optionHelp.${name}`) : field.description
  const local = faultOf(field, current)
  const fault =
    props.faults?.[name] ?? (local ? t(`schema.${local.key}`, { limit: local.limit }) : undefined)
  return (
    <div className={`schema-field schema-${kindOf(field)} ${fault ? 'schema-faulty' : ''}`}>
      <label htmlFor={id}>
        {label}
        {props.isRequired ? <span aria-hidden> *</span> : null}
      </label>
      <Control {...props} id={id} label={label} />
      {fault ? (
        <p className="schema-fault" role="alert">
          {fault}
        </p>
      ) : null}
      {help ? <p className="schema-help">{help}</p> : null}
    </div>
  )
}

function Control(props: SchemaFieldProps & { id: string; label: string }) {
  const { id, label, field, current, onSet, disabled } = props
  const text =
    typeof current === 'string' ? current : current === undefined ? '' : JSON.stringify(current)
  switch (kindOf(field)) {
    case 'switch':
      return <Toggle id={id} checked={current === true} onChange={onSet} disabled={disabled} />
    case 'number':
      return (
        <NumberInput
          id={id}
          value={typeof current === 'number' ? current : undefined}
          onChange={onSet}
          min={field.minimum}
          max={field.maximum}
          precision={field.type === 'integer' ? 0 : undefined}
          disabled={disabled}
        />
      )
    case 'choice':
      return (
        <Select
          id={id}
          label={label}
          value={text || undefined}
          onChange={onSet}
          choices={choicesOf(field) ?? []}
          disabled={disabled}
        />
      )
    case 'list':
      return (
        <MultiSelect
          id={id}
          label={label}
          value={Array.isArray(current) ? current.map(String) : []}
          onChange={onSet}
          choices={[]}
          isOpen
          disabled={disabled}
        />
      )
    case 'secret':
      return (
        <SecretInput
          id={id}
          value={text}
          onChange={onSet}
          isSet={props.secretsSet?.includes(props.name) ?? false}
          disabled={disabled}
        />
      )
    case 'multiline':
      return (
        <Input.TextArea
          id={id}
          value={text}
          onChange={onSet}
          autoSize={{ minRows: 3, maxRows: 16 }}
          disabled={disabled}
        />
      )
    case 'map':
    case 'json':
      return (
        <JsonField
          id={id}
          value={text}
          onChange={onSet}
          isMap={kindOf(field) === 'map'}
          example={field.default}
          disabled={disabled}
        />
      )
    default:
      return (
        <Input
          id={id}
          value={text}
          onChange={onSet}
          maxLength={field.maxLength}
          disabled={disabled}
        />
      )
  }
}

/** `quota_per_unit` and `QuotaPerUnit` become `Quota per unit`: for keys that no one has written a label for. */
export function wordsOf(key: string): string {
  const words = key
    .replace(/^.*\./, '')
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
