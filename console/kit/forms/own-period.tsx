import { DatePicker } from '@arco-design/web-react'
import { type FormEvent, useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { readMoment } from './read-moment.ts'
import { useCalendar } from '../use-calendar.ts'

interface OwnPeriodProps {
  start: string
  end: string
  onChange(start: string, end: string): void
}

/** Both bounds, chosen in a calendar or typed. */
export default function OwnPeriod({ start, end, onChange }: OwnPeriodProps) {
  const t = useTexts()
  // Arco discards typed text that was not confirmed in its panel, so the text is kept here and read on blur.
  const typed = useRef<{ isEnd: boolean; text: string }>(undefined)
  const calendar = useCalendar()
  const bound = (seconds: string) => (seconds ? Number(seconds) * 1000 : undefined)
  // One bound may be empty, for a log that continues.
  const value = start || end ? ([bound(start), bound(end)] as number[]) : undefined
  const leave = () => {
    const bounds = typed.current && withTyped({ start, end }, typed.current)
    typed.current = undefined
    if (bounds) onChange(...bounds)
  }
  return (
    <span
      className="period-own"
      {...calendar.around}
      onInputCapture={(event) => {
        typed.current = typedIn(event)
      }}
      onBlurCapture={leave}
    >
      <DatePicker.RangePicker
        {...calendar.picker}
        showTime={{ defaultValue: ['00:00:00', '23:59:59'] }}
        format="YYYY-MM-DD HH:mm:ss"
        value={value}
        placeholder={[t('filter.from'), t('filter.to')]}
        onSelect={() => {
          typed.current = undefined
        }}
        onChange={(_, dates) => {
          typed.current = undefined
          const [from, to] = dates ?? []
          onChange(from ? String(from.unix()) : '', to ? String(to.unix()) : '')
        }}
        allowClear
      />
    </span>
  )
}

function typedIn({ currentTarget, target }: FormEvent<HTMLElement>) {
  const [first] = currentTarget.querySelectorAll('input')
  return { isEnd: target !== first, text: (target as HTMLInputElement).value }
}

/** Undefined for a text that is no time. A start after the end clears the end, and the reverse: the user types the other
 *  bound next. */
function withTyped(
  { start, end }: Pick<OwnPeriodProps, 'start' | 'end'>,
  { isEnd, text }: { isEnd: boolean; text: string },
): [start: string, end: string] | undefined {
  const seconds = readMoment(text)
  if (Number.isNaN(seconds)) return undefined
  const moment = String(seconds ?? '')
  const other = isEnd ? start : end
  const isBeyond =
    moment && other && Number(isEnd ? moment : other) < Number(isEnd ? other : moment)
  const kept = isBeyond ? '' : other
  return isEnd ? [kept, moment] : [moment, kept]
}
