import { Button } from '@arco-design/web-react'
import { IconClose } from '@arco-design/web-react/icon'
import { Card, formatExact, formatTime, IconButton, Progress, useAction, useTexts } from '#console'
import type { ChannelRun } from '../schema.ts'
import { isGoing, useRuns } from './use-runs.ts'

type Runs = ReturnType<typeof useRuns>

/** What goes on over all channels, with a button that stops it, and how it came out. */
export function RunNotes({ onEnd }: { onEnd: () => Promise<unknown> }) {
  const { runs, stop, putAway } = useRuns(onEnd)
  return runs.map((run) => (
    <RunNote key={run.kind} run={run} stop={stop} onClose={() => putAway(run)} />
  ))
}

function RunNote({ run, stop, onClose }: { run: ChannelRun; stop: Runs['stop']; onClose(): void }) {
  const t = useTexts('channels')
  const { kind, state, done, total, failed, skipped } = run
  const times = useTimes(run)
  const sentence = t(`runs.${kind}.${state}`, { username: run.stopped_by, host: run.host })
  const isFault = state === 'failed' || state === 'lost'
  const counts = [
    t('runs.counts', { done: formatExact(done), total: formatExact(total) }),
    ...(failed > 0 ? [t('runs.failed', { count: failed })] : []),
    ...(skipped > 0 ? [t('runs.skipped', { count: skipped })] : []),
  ]
  return (
    <Card className="channel-run">
      <div>
        <p role="status" className={isFault ? 'channel-run-fault' : undefined}>
          <strong>{sentence}</strong>
        </p>
        <p className="channel-run-counts">
          {isGoing(run) ? (
            <Progress percent={(100 * done) / (total || 1)} label={sentence} />
          ) : null}
          <span>{counts.join(t('runs.comma'))}</span>
        </p>
        <p className="muted">{times}</p>
      </div>
      {isGoing(run) ? (
        <StopButton run={run} stop={stop} />
      ) : (
        <IconButton label={t('runs.close')} icon={<IconClose />} onClick={onClose} />
      )}
    </Card>
  )
}

/** When and where the run was begun, by whom, and when it ended. */
function useTimes({ username, host, started_at, ended_at }: ChannelRun): string {
  const t = useTexts('channels')
  const begun = t(username === '' ? 'runs.scheduled' : 'runs.begun', {
    time: formatTime(started_at),
    username,
    host,
  })
  return ended_at === 0 ? begun : `${begun}${t('runs.ended', { time: formatTime(ended_at) })}`
}

function StopButton({ run: { kind, state }, stop }: { run: ChannelRun; stop: Runs['stop'] }) {
  const t = useTexts('channels')
  const [press, isBusy] = useAction(() => stop(kind))
  return (
    <Button loading={isBusy || state === 'stopping'} onClick={() => void press()}>
      {t('runs.stop')}
    </Button>
  )
}
