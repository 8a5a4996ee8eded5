import { useId } from 'react'
import { formatDay, useTexts } from '#console'

/** A figure of the last seven days as bars. Screen readers get a table. */
export function WeekBars({
  days,
  format,
}: {
  days: readonly number[]
  format: (value: number) => string
}) {
  const t = useTexts('overview')
  const id = useId()
  const most = Math.max(...days, Number.MIN_VALUE)
  return (
    <>
      <div className="week-bars" aria-hidden>
        {days.map((value, at) => (
          <span key={at} title={`${dayName(days.length - 1 - at)}: ${format(value)}`}>
            <i style={{ height: `${Math.round((value / most) * 100)}%` }} />
          </span>
        ))}
      </div>
      {/* Around the table: Firefox clips a table without its caption. */}
      <div className="visually-hidden">
        <table aria-labelledby={id}>
          <caption id={id}>{t('week')}</caption>
          <tbody>
            {days.map((value, at) => (
              <tr key={at}>
                <th scope="row">{dayName(days.length - 1 - at)}</th>
                <td>{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function dayName(daysAgo: number): string {
  const date = new Date()
  date.setDate(date.getDate() - daysAgo)
  return formatDay(date.getTime() / 1000)
}
