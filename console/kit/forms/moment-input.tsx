import { DatePicker } from '@arco-design/web-react'

export interface MomentInputProps {
  id?: string
  /** The name read out. */
  label: string
  /** Unix seconds; undefined, and what is no time, show `none`. */
  value?: number
  onChange?: (seconds: number | undefined) => void
  /** Stands in the empty field: what no moment means. */
  none: string
}

/** A moment of local time, to the second. */
export function MomentInput({ id, label, value, onChange, none }: MomentInputProps) {
  return (
    <DatePicker
      className="moment-input"
      showTime
      allowClear
      format="YYYY-MM-DD HH:mm:ss"
      value={value === undefined || Number.isNaN(value) ? undefined : value * 1000}
      placeholder={none}
      onChange={(_, date) => onChange?.(date ? date.unix() : undefined)}
      inputProps={{ id, 'aria-label': label }}
    />
  )
}
