import { DatePicker } from '@arco-design/web-react'
import { type FocusEvent, type KeyboardEvent, useContext, useRef, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { readMoment } from './read-moment.ts'
import { FieldFault } from './read-number.ts'

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
  const [isPanelOpen, setPanelOpen] = useState(false)
  const isKept = useRef(false)
  const press = (event: KeyboardEvent) => {
    if (!isPanelOpen) return
    // Arco leaves the calendar over the fields to which the key leads.
    if (event.key === 'Tab') setPanelOpen(false)
    if (event.key !== 'Escape') return
    // The drawer around it stays open: this key was for the calendar.
    event.stopPropagation()
    setPanelOpen(false)
    isKept.current = true
  }
  /** Arco takes the focus away a moment after the calendar has closed. */
  const keepFocus = ({ target, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (isKept.current && !relatedTarget) window.setTimeout(() => target.focus())
    isKept.current = false
  }
  const choose = (seconds: number | undefined) => {
    typed.current = undefined
    if (slotRef) slotRef.current = Number.isNaN(seconds) ? t('takes.moment') : undefined
    props.onChange?.(seconds)
  }
  return (
    <span
      onKeyDown={press}
      onBlur={keepFocus}
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
        popupVisible={isPanelOpen}
        onVisibleChange={(isVisible = false) => setPanelOpen(isVisible)}
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
