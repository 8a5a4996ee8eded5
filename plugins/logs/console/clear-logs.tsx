import { Button } from '@arco-design/web-react'
import { useEffect, useId, useRef, useState } from 'react'
import {
  api,
  confirm,
  formatTime,
  MomentInput,
  toast,
  useAction,
  useData,
  useTexts,
} from '#console'
import type { Clearing } from '../schema.ts'

const path = '/api/log/clearing'
const RUNNING_MS = 2_000
/** How often the state is fetched while none runs, because another admin may begin one. */
const IDLE_MS = 30_000

/** The clearing that was begun last, on this page or another. A toast reports when one ends. */
function useClearing() {
  const t = useTexts('logs')
  const known = useData<Clearing | null>(path)
  const refetchEveryMs = known.data?.state === 'running' ? RUNNING_MS : IDLE_MS
  const { data, refresh } = useData<Clearing | null>(path, { refetchEveryMs })
  const isWatched = useRef(false)
  useEffect(() => {
    if (isWatched.current && data?.state === 'done')
      toast.success(t('clear.done', { count: data.cleared }))
    isWatched.current = data?.state === 'running'
  }, [data, t])
  const begin = async (target_timestamp: number) => {
    await api.post(path, { target_timestamp })
    isWatched.current = true
    await refresh()
  }
  const stop = async () => {
    await api.post(`${path}/stop`)
    await refresh()
  }
  return { clearing: data ?? undefined, begin, stop }
}

function ClearingState({ clearing }: { clearing: Clearing | undefined }) {
  const t = useTexts('logs')
  if (clearing === undefined) return <p className="schema-help">{t('clear.help')}</p>
  const { state, cleared, username, target_timestamp, ended_at } = clearing
  const values = {
    count: cleared,
    username,
    before: formatTime(target_timestamp),
    time: formatTime(ended_at),
  }
  const keys = {
    running: 'clear.progress',
    stopped: 'clear.stopped',
    cancelled: 'clear.cancelled',
    done: 'clear.last',
  } as const
  return (
    <p
      className={state === 'stopped' ? 'schema-fault' : 'schema-help'}
      role={state === 'running' ? 'status' : undefined}
    >
      {t(keys[state], values)}
    </p>
  )
}

/** On the settings page: deletes rows that are older than a time, permanently. */
export default function ClearLogs() {
  const t = useTexts('logs')
  const id = useId()
  const [chosen, setBefore] = useState<number>()
  const { clearing, begin, stop } = useClearing()
  const [pressStop, isStopping] = useAction(stop)
  // A clearing that failed can be begun again with the same time.
  const before = chosen ?? (clearing?.state === 'stopped' ? clearing.target_timestamp : undefined)
  const [clear, isBusy] = useAction(async () => {
    if (before === undefined || Number.isNaN(before)) return toast.warning(t('clear.noTime'))
    const time = formatTime(before)
    const isAgreed = await confirm(() => ({
      title: t('clear.title'),
      content: t('clear.text', { time }),
      confirmLabel: t('clear.do'),
      isDanger: true,
      typeToConfirm: time.slice(0, 'YYYY-MM-DD'.length),
    }))
    if (!isAgreed) return
    await begin(before)
  })
  const isClearing = clearing?.state === 'running'
  return (
    <div className="schema-field">
      <label htmlFor={id}>{t('clear.label')}</label>
      <div className="schema-amount">
        <MomentInput
          id={id}
          label={t('clear.label')}
          value={before}
          onChange={setBefore}
          none={t('clear.choose')}
          disabled={isBusy || isClearing}
        />
        <Button status="danger" loading={isClearing} onClick={() => void clear()}>
          {t(isClearing ? 'clear.running' : 'clear.do')}
        </Button>
        {isClearing ? (
          <Button loading={isStopping} onClick={() => void pressStop()}>
            {t('clear.stop')}
          </Button>
        ) : null}
      </div>
      <ClearingState clearing={clearing} />
    </div>
  )
}
