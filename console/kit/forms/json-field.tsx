import { Button, Input } from '@arco-design/web-react'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { findJsonFault, formatJson } from './json-fault.ts'
import { JsonMapTable } from './json-map-table.tsx'

export interface JsonFieldProps {
  id?: string
  /** The name read out where no Field gives one. */
  label?: string
  /** JSON text; empty is allowed. */
  value?: string
  onChange?: (text: string) => void
  onBlur?: () => void
  disabled?: boolean
  /** Offered when the field is empty. */
  example?: unknown
  /** The JSON is a map of names to plain values: offers a table too. */
  isMap?: boolean
  rows?: number
}

/** JSON by hand: formatting, where the fault is, an example, and a table where it is a map. */
export function JsonField(props: JsonFieldProps) {
  const { value = '', onChange, isMap, example } = props
  const t = useTexts()
  const [isTable, setTable] = useState(false)
  const fault = findJsonFault(value)
  const isShownAsTable = isTable && !fault
  return (
    <div className="json-field">
      {isShownAsTable ? (
        <JsonMapTable
          text={value}
          onChange={(text) => onChange?.(text)}
          isDisabled={props.disabled}
        />
      ) : (
        <Input.TextArea
          id={props.id}
          aria-label={props.label}
          aria-invalid={fault !== undefined}
          className="code"
          value={value}
          onChange={onChange}
          onBlur={props.onBlur}
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
            disabled={props.disabled || value.trim() !== ''}
            onClick={() => onChange?.(JSON.stringify(example, undefined, 2))}
          >
            {t('json.example')}
          </Button>
        ) : null}
        {isMap ? (
          <Button
            size="mini"
            disabled={Boolean(fault)}
            onClick={() => setTable(!isTable)}
            aria-pressed={isTable}
          >
            {t(isShownAsTable ? 'json.asText' : 'json.asTable')}
          </Button>
        ) : null}
        {fault ? (
          <span className="json-fault" role="status">
            {t('json.fault', { ...fault })}
          </span>
        ) : null}
      </div>
    </div>
  )
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
