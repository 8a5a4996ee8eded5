import { Card, formatExact, formatPercent, Quota, useTexts } from '#console'
import type { ReactNode } from 'react'
import type { LiveFigures } from '../schema.ts'
import { DurationOrNone } from './duration-or-none.tsx'
import { minuteOf } from './minute-of.ts'

const none = <span className="muted">–</span>

/** The figures of the last minute, for all processes together. */
export function MinuteFigures({ nodes, channels }: LiveFigures) {
  const t = useTexts('live-figures')
  const minute = minuteOf(nodes)
  const figures: [name: string, value: ReactNode, hint?: ReactNode][] = [
    ['calls', formatExact(minute.calls)],
    [
      'failed',
      minute.calls === 0 ? none : formatPercent(minute.failed / minute.calls),
      minute.failed > 0 ? formatExact(minute.failed) : undefined,
    ],
    ['tokens', formatExact(minute.tokens)],
    ['spend', <Quota key="spend" units={minute.units} />],
    ['firstByte', <DurationOrNone key="first" ms={minute.firstByteMs} />, t('worst')],
    ['duration', <DurationOrNone key="duration" ms={minute.durationMs} />, t('worst')],
    ['inFlight', formatExact(minute.inFlight)],
    [
      'channels',
      formatExact(channels.enabled),
      t('channelsOff', {
        byHand: formatExact(channels.disabled),
        automatically: formatExact(channels.auto_disabled),
      }),
    ],
  ]
  return (
    <Card title={t('minute')}>
      <dl className="live-figures" aria-live="off">
        {figures.map(([name, value, hint]) => (
          <div key={name}>
            <dt>{t(`figure.${name}`)}</dt>
            <dd className="number">{value}</dd>
            {hint ? <dd className="live-figure-hint">{hint}</dd> : null}
          </div>
        ))}
      </dl>
    </Card>
  )
}
