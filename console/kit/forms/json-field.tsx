import { Button } from '@arco-design/web-react'
import { useState } from 'react'
import { isObject } from '../../../core/contract/json.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { fieldRule } from './field-rules.ts'
import { GrowingText } from '../growing-text.tsx'
import { compactJson, findJsonFault, formatJson } from './json-fault.ts'
import { JsonMapTable } from './json-map-table.tsx'
import { isTabular } from './map-entries.ts'

export interface JsonFieldProps {
  id?: string
  /** The accessible name, where no Field provides one. */
  label?: string
  /** JSON text; empty is allowed. */
  value?: string
  onChange?: (text: string) => void
  onBlur?: () => void
  disabled?: boolean
  placeholder?: string
  /** Offered when the field is empty. */
  example?: unknown
  /** The default of the gateway, offered by a button. */
  shipped?: unknown
  /** The JSON is a map of names to plain values: a table can be used instead of the text. */
  isMap?: boolean
  /** The map is written as a list of maps of one entry each. */
  isList?: boolean
  rows?: number
}

/** An editor for JSON: formats the text, points at a fault, offers an example, and a table for maps. */
export function JsonField(props: JsonFieldProps) {
  const { value = '', onChange } = props
  const t = useTexts()
  const [isTable, setTable] = useState(false)
  // JSON is invalid while it is being typed, so faults are shown when the field is left.
  const [isTyping, setTyping] = useState(false)
  const fault = findJsonFault(value)
  const isShownAsTable = isTable && isTabular(value)
  return (
    <div className="json-field">
      {isShownAsTable ? (
        <JsonMapTable
          text={value}
          onChange={(text) => onChange?.(text)}
          isDisabled={props.disabled}
          isList={props.isList}
        />
      ) : (
        <JsonText field={props} isFaulty={fault !== undefined && !isTyping} onTyping={setTyping} />
      )}
      <div className="json-tools">
        <Fillers field={props} isSound={!fault} />
        {props.isMap ? (
          <Button
            size="mini"
            disabled={!isTabular(value)}
            onClick={() => setTable(!isTable)}
            aria-pressed={isTable}
          >
            {t(isShownAsTable ? 'json.asText' : 'json.asTable')}
          </Button>
        ) : null}
        {fault && !isTyping ? (
          <span className="json-fault" role="status">
            {t('json.fault', { ...fault })}
          </span>
        ) : null}
      </div>
    </div>
  )
}

function JsonText({
  field,
  isFaulty,
  onTyping,
}: {
  field: JsonFieldProps
  isFaulty: boolean
  onTyping(isTyping: boolean): void
}) {
  return (
    <GrowingText
      id={field.id}
      aria-label={field.label}
      aria-invalid={isFaulty}
      className="code"
      value={field.value ?? ''}
      onChange={(text) => {
        onTyping(true)
        field.onChange?.(text)
      }}
      onBlur={() => {
        onTyping(false)
        field.onBlur?.()
      }}
      placeholder={field.placeholder}
      disabled={field.disabled}
      minRows={field.rows ?? 4}
      maxRows={24}
      spellCheck={false}
    />
  )
}

/** Buttons that replace the text: by its formatted form, the example, or the default of the gateway. */
function Fillers({ field, isSound }: { field: JsonFieldProps; isSound: boolean }) {
  const { value = '', example, shipped, disabled, onChange } = field
  const t = useTexts()
  return (
    <>
      <Button
        size="mini"
        disabled={!value || !isSound}
        onClick={() => onChange?.(formatJson(value))}
      >
        {t('json.format')}
      </Button>
      {example !== undefined ? (
        <Button
          size="mini"
          disabled={disabled || !isBlank(value)}
          onClick={() => onChange?.(JSON.stringify(example, undefined, 2))}
        >
          {t('json.example')}
        </Button>
      ) : null}
      {shipped !== undefined && compactJson(value) !== JSON.stringify(shipped) ? (
        <Button
          size="mini"
          disabled={disabled}
          onClick={() => onChange?.(JSON.stringify(shipped, undefined, 2))}
        >
          {t('json.shipped')}
        </Button>
      ) : null}
    </>
  )
}

function isBlank(text: string): boolean {
  return ['', '{}', '[]'].includes(text.trim())
}

/** A rule for Field: the text must be JSON of the given kind. Empty text is valid. */
export function jsonRule(message: string, kind: 'any' | 'object' = 'any') {
  return fieldRule<string>((value) => {
    if (!value?.trim()) return undefined
    if (findJsonFault(value)) return message
    return kind === 'object' && !isObject(JSON.parse(value)) ? message : undefined
  })
}
