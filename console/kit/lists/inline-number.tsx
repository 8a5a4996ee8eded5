import { useState } from 'react'
import { NumberInput } from '../forms/number-input.tsx'

/** A number that is edited in place: saved on Enter and when the field is left, and reset by Escape and if saving fails. */
export function InlineNumber({
  label,
  value,
  min,
  max,
  placeholder,
  onSave,
}: {
  label: string
  /** Undefined if there is no single value (the rows differ). */
  value: number | undefined
  min?: number
  max?: number
  placeholder?: string
  onSave(value: number): Promise<unknown>
}) {
  const [entered, setEntered] = useState<number | undefined>(value)
  const [seen, setSeen] = useState(value)
  // A new value from outside replaces the typed one.
  if (seen !== value) {
    setSeen(value)
    setEntered(value)
  }
  const save = () => {
    // The field says what it takes.
    if (Number.isNaN(entered)) return
    if (entered === undefined || entered === value) return setEntered(value)
    onSave(entered).catch(() => setEntered(value))
  }
  return (
    <NumberInput
      className="inline-number"
      size="small"
      label={label}
      value={entered}
      onChange={setEntered}
      onBlur={save}
      onPressEnter={save}
      onPressEscape={() => setEntered(value)}
      min={min}
      placeholder={placeholder}
      max={max}
      precision={0}
    />
  )
}
