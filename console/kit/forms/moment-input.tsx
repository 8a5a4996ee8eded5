import { DatePicker } from '@arco-design/web-react'
import { useContext, useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { readMoment } from './read-moment.ts'
import { FieldFault } from './read-number.ts'
import { useCalendar } from '../use-calendar.ts'

export interface MomentInputProps {
  id?: string
  /** The accessible name. */
  label: string
  /** In Unix seconds. Undefined and invalid times show `none`. */
  value?: number
  /** Called with NaN when the typed text is no time; the Field then shows how a time is written. */
  onChange?: (seconds: number | undefined) => void
  /** Placeholder that says what an empty field means. */
  none: string
  disabled?: boolean
}

/** Input for a moment in local time, to the second. */
export function MomentInput(props: MomentInputProps) {
  const { id, label, value, none, disabled } = props
  const t = useTexts()
  const slotRef = useContext(FieldFault)
  // Arco discards typed text that was not confirmed in its panel, so the text is kept here and read on blur.
  const typed = useRef<string>(undefined)
  const calendar = useCalendar()
  const choose = (seconds: number | undefined) => {
    typed.current = undefined
    if (slotRef) slotRef.current = Number.isNaN(seconds) ? t('takes.moment') : undefined
    props.onChange?.(seconds)
  }
  return (
    <span
      {...calendar.around}
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
        {...calendar.picker}
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
