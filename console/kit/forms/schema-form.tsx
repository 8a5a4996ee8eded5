import { useId } from 'react'
import { PluginBoundary } from '../../registry/plugin-boundary.tsx'
import { usePreferences } from '../../stores/preferences.ts'
import { textsOf, useTexts } from '../../texts/use-texts.ts'
import { type FieldSchema, faultOf, isShown, kindOf } from './schema.ts'
import { SchemaControl } from './schema-control.tsx'

export type SchemaValues = Record<string, unknown>

export interface SchemaFormProps {
  /** An object schema. Hidden properties are not drawn. */
  schema: FieldSchema
  value?: SchemaValues
  onChange?: (value: SchemaValues, changed: string) => void
  /** The plugin whose texts are used, or a function that returns it for a key. The texts are `options.<key>`
   *  (label), `optionHelp.<key>`, `optionPlaceholder.<key>` and `optionChoices.<key>.<value>`. */
  namespace?: string | ((key: string) => string)
  /** Secrets for which the server has a value. */
  secretsSet?: readonly string[]
  /** Messages of the server, by key. */
  faults?: Readonly<Record<string, string>>
  /** Options that were saved while others of the same saving failed. */
  saved?: readonly string[]
  disabled?: boolean
}

/** A form drawn from a JSON schema, with one labelled control for each property. */
export function SchemaForm(props: SchemaFormProps) {
  const { schema, value = {}, onChange, namespace } = props
  return (
    <div className="schema-form">
      {Object.entries(schema.properties ?? {})
        .filter(([, field]) => isShown(field, value))
        .map(([key, field]) => (
          <SchemaField
            key={key}
            {...props}
            name={key}
            field={field}
            namespace={namespaceOf(key, namespace)}
            current={value[key]}
            isRequired={schema.required?.includes(key) && field.default === undefined}
            onSet={(next) => onChange?.({ ...value, [key]: next }, key)}
          />
        ))
        .map((field) => (
          // If a schema cannot be drawn, only its field is left out, and its plugin is named.
          <PluginBoundary
            key={field.key}
            owner={namespaceOf(field.key ?? '', namespace) ?? ''}
            title={wordsOf(field.key ?? '')}
          >
            {field}
          </PluginBoundary>
        ))}
    </div>
  )
}

function namespaceOf(key: string, namespace: SchemaFormProps['namespace']): string | undefined {
  return typeof namespace === 'function' ? namespace(key) : namespace
}

interface SchemaFieldProps extends SchemaFormProps {
  name: string
  field: FieldSchema
  namespace: string | undefined
  current: unknown
  isRequired?: boolean
  onSet(value: unknown): void
}

function SchemaField(props: SchemaFieldProps) {
  const { name, field, namespace, current, isRequired, disabled, onSet } = props
  const t = useTexts(namespace)
  const id = useId()
  const textOf = (group: string) =>
    t.has(`${group}.${name}`) ? t(`${group}.${name}`, verbatim) : undefined
  const language = usePreferences((preferences) => preferences.language)
  const ui = field['x-ui']
  const label = textOf('options') ?? ui?.label?.[language] ?? field.title ?? wordsOf(name)
  const help = textOf('optionHelp') ?? ui?.help?.[language] ?? field.description
  const local = faultOf(field, current)
  // The number field itself says what it accepts.
  const isNoNumber = local?.key === 'number'
  // The JSON field itself points at the fault.
  const own =
    local && local.key !== 'json' && !isNoNumber
      ? t(`schema.${local.key}`, { limit: local.limit })
      : undefined
  const fault = own ?? (isNoNumber ? undefined : props.faults?.[name])
  return (
    <div
      className={`schema-field schema-${kindOf(field)} ${fault || isNoNumber ? 'schema-faulty' : ''}`}
      data-option={name}
    >
      <label htmlFor={id}>
        {label}
        {isRequired ? <span aria-hidden> *</span> : null}
      </label>
      <SchemaControl
        id={id}
        label={label}
        field={field}
        value={current}
        onChange={onSet}
        placeholder={textOf('optionPlaceholder')}
        confirmOff={() => ({
          title: textOf('options') ?? label,
          content: textOf('optionConfirm'),
          confirmLabel: t('options.switchOff'),
        })}
        choiceLabel={(value) =>
          t.has(`optionChoices.${name}.${value}`) ? t(`optionChoices.${name}.${value}`) : value
        }
        isSecretSet={props.secretsSet?.includes(name) ?? false}
        disabled={disabled}
      />
      {fault ? (
        <p className="schema-fault" role="alert">
          {fault}
        </p>
      ) : null}
      {props.saved?.includes(name) ? <p className="schema-saved">{t('options.keySaved')}</p> : null}
      {help ? <p className="schema-help">{help}</p> : null}
    </div>
  )
}

/** The label of a field that is shown elsewhere. */
export function labelOf(key: string, namespace: SchemaFormProps['namespace']): string {
  const t = textsOf(typeof namespace === 'function' ? namespace(key) : namespace)
  return t.has(`options.${key}`) ? t(`options.${key}`, verbatim) : wordsOf(key)
}

// Help texts mention placeholders such as {key}, which must stay as they are.
const verbatim = { skipInterpolation: true }

/** Makes a label of a key that has no text: `quota_per_unit` and `QuotaPerUnit` become `Quota per unit`. */
export function wordsOf(key: string): string {
  const words = key
    .replace(/^.*\./, '')
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
