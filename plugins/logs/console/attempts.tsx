import { formatClock, formatDuration, formatTime, StatusTag, useTexts } from '#console'
import type { Attempt } from './log-row.ts'

/** The attempts of the call in order: the channel, the result, the start and the duration. */
export function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  const t = useTexts('logs')
  return (
    <section className="log-attempts" aria-label={t('attempts.title')}>
      <h3>{t('attempts.title')}</h3>
      <ol>
        {attempts.map((attempt, index) => (
          // A channel may be tried twice.
          <li key={`${index}-${attempt.channel_id}`}>
            <span className="log-attempt-channel" title={attempt.channel_name}>
              {attempt.channel_name || t('attempts.gone')}{' '}
              <span className="muted number">#{attempt.channel_id}</span>
            </span>
            <Cause attempt={attempt} />
            <StartedAt ms={attempt.started_at_ms} />
            <span className="number muted">{formatDuration(attempt.duration_ms)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Attempts are close together, so the time of day is enough. */
function StartedAt({ ms }: { ms: number | undefined }) {
  if (ms === undefined) return <span />
  return (
    <time
      className="number muted"
      dateTime={new Date(ms).toISOString()}
      title={formatTime(Math.floor(ms / 1000))}
    >
      {formatClock(ms)}
    </time>
  )
}

function Cause({ attempt: { failure_class, status } }: { attempt: Attempt }) {
  const t = useTexts('logs')
  if (failure_class === undefined) {
    return (
      <StatusTag tone={status < 400 ? 'success' : 'danger'}>{t('attempts.answered')}</StatusTag>
    )
  }
  const words = t.has(`failure.${failure_class}`) ? t(`failure.${failure_class}`) : failure_class
  return (
    <StatusTag tone="danger">
      {words} <span className="number">({status})</span>
    </StatusTag>
  )
}
