import { DatePicker } from '@arco-design/web-react'
import { useContext, useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { readMoment } from './read-moment.ts'
import { FieldFault } from './read-number.ts'

export interface MomentInputProps {
  id?: string
  /** The name read out. */
  label: string
  /** Unix seconds; undefined, and what is no time, show `none`. */
  value?: number
  /** NaN: something was typed that is no time; the field of the form says how one is written. */
  onChange?: (seconds: number | undefined) => void
  /** Stands in the empty field: what no moment means. */
  none: string
  disabled?: boolean
}

/** A moment of local time, to the second. */
export function MomentInput(props: MomentInputProps) {
  const { id, label, value, none, disabled } = props
  const t = useTexts()
  const slotRef = useContext(FieldFault)
  // Arco forgets typed text that was not confirmed in its panel, before the field is even left.
  const typed = useRef<string>(undefined)
  const choose = (seconds: number | undefined) => {
    typed.current = undefined
    if (slotRef) slotRef.current = Number.isNaN(seconds) ? t('takes.moment') : undefined
    props.onChange?.(seconds)
  }
  return (
    <span
      onInputCapture={({ target }) => {
        typed.current = (target as HTMLInputElement).value
      }}
      onBlurCapture={() => {
        if (typed.current !== undefined) choose(readMoment(typed.current))
      }}
    >
      <DatePicker
        className="moment-input"
        showTime
        allowClear
        format="YYYY-MM-DD HH:mm:ss"
        value={value === undefined || Number.isNaN(value) ? undefined : value * 1000}
        placeholder={none}
        onChange={(_, date) => choose(date ? date.unix() : undefined)}
        inputProps={{ id, 'aria-label': label }}
        disabled={disabled}
      />
    </span>
  )
}
