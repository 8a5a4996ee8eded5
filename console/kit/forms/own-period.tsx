import { DatePicker } from '@arco-design/web-react'
import { useTexts } from '../../texts/use-texts.ts'

/** Both bounds by the calendar. */
export default function OwnPeriod({
  start,
  end,
  onChange,
}: {
  start: string
  end: string
  onChange(start: string, end: string): void
}) {
  const t = useTexts()
  const bound = (seconds: string) => (seconds ? Number(seconds) * 1000 : undefined)
  // One bound may be open: the span of a log that goes on.
  const value = start || end ? ([bound(start), bound(end)] as number[]) : undefined
  return (
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
  )
}
