import { Button, Input } from '@arco-design/web-react'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { compactJson, findJsonFault, formatJson } from './json-fault.ts'
import { JsonMapTable } from './json-map-table.tsx'
import { isTabular } from './map-entries.ts'

export interface JsonFieldProps {
  id?: string
  /** The name read out where no Field gives one. */
  label?: string
  /** JSON text; empty is allowed. */
  value?: string
  onChange?: (text: string) => void
  onBlur?: () => void
  disabled?: boolean
  placeholder?: string
  /** Offered when the field is empty. */
  example?: unknown
  /** What the gateway came with: offered to go back to. */
  shipped?: unknown
  /** The JSON is a map of names to plain values: offers a table too. */
  isMap?: boolean
  /** The map is written as a list of maps of one entry each. */
  isList?: boolean
  rows?: number
}

/** JSON by hand: formatting, where the fault is, an example, and a table where it is a map. */
export function JsonField(props: JsonFieldProps) {
  const { value = '', onChange, isMap, example } = props
  const t = useTexts()
  const [isTable, setTable] = useState(false)
  // Nobody types sound JSON from the first letter on: faults are shown when the field is left.
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
        <Input.TextArea
          id={props.id}
          aria-label={props.label}
          aria-invalid={fault !== undefined && !isTyping}
          className="code"
          value={value}
          onChange={(text) => {
            setTyping(true)
            onChange?.(text)
          }}
          onBlur={() => {
            setTyping(false)
            props.onBlur?.()
          }}
          placeholder={props.placeholder}
          disabled={props.disabled}
          autoSize={{ minRows: props.rows ?? 4, maxRows: 24 }}
          spellCheck={false}
        />
      )}
      <div className="json-tools">
        <Button
          size="mini"
          disabled={!value || Boolean(fault)}
          onClick={() => onChange?.(formatJson(value))}
        >
          {t('json.format')}
        </Button>
        {example !== undefined ? (
          <Button
            size="mini"
            disabled={props.disabled || !isBlank(value)}
            onClick={() => onChange?.(JSON.stringify(example, undefined, 2))}
          >
            {t('json.example')}
          </Button>
        ) : null}
        {props.shipped !== undefined && compactJson(value) !== JSON.stringify(props.shipped) ? (
          <Button
            size="mini"
            disabled={props.disabled}
            onClick={() => onChange?.(JSON.stringify(props.shipped, undefined, 2))}
          >
            {t('json.shipped')}
          </Button>
        ) : null}
        {isMap ? (
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

function isBlank(text: string): boolean {
  return ['', '{}', '[]'].includes(text.trim())
}

/** A rule for Field: the text must be JSON, of the given kind. Checked when the field is left. */
export function jsonRule(message: string, kind: 'any' | 'object' = 'any') {
  return {
    validator: (value: string | undefined, answer: (fault?: string) => void) => {
      if (!value?.trim()) return answer()
      if (findJsonFault(value)) return answer(message)
      const parsed: unknown = JSON.parse(value)
      const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      return answer(kind === 'object' && !isObject ? message : undefined)
    },
  }
}
