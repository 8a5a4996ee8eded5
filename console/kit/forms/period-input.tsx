import { DatePicker } from '@arco-design/web-react'
import { useTexts } from '../../texts/use-texts.ts'

/** A span of time; both bounds in Unix seconds as text, empty for open. */
export function PeriodInput({
  label,
  start,
  end,
  onChange,
}: {
  label: string
  start: string
  end: string
  onChange(start: string, end: string): void
}) {
  const t = useTexts()
  const value = start && end ? [Number(start) * 1000, Number(end) * 1000] : undefined
  return (
    <span role="group" aria-label={label} className="period">
      <DatePicker.RangePicker
        showTime={{ defaultValue: ['00:00:00', '23:59:59'] }}
        format="YYYY-MM-DD HH:mm:ss"
        value={value}
        placeholder={[t('filter.from'), t('filter.to')]}
        onChange={(_, dates) => {
          const [from, to] = dates ?? []
          onChange(from ? String(from.unix()) : '', to ? String(to.unix()) : '')
        }}
        allowClear
      />
    </span>
  )
}
