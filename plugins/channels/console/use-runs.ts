import { useCallback, useEffect, useRef, useState } from 'react'
import { readStored, useData, writeStored } from '#console'
import type { ChannelRun } from '../schema.ts'
import { channelCalls } from './channel-calls.ts'

const path = '/api/channel/runs'
const GOING_MS = 2_000
/** How often is asked while none goes on: the schedule or another admin may begin one. */
const IDLE_MS = 30_000
const ONE_DAY_S = 86_400
/** The beginning of the run of each kind whose end was put away, in local storage. */
const seenKey = (kind: ChannelRun['kind']) => `channel_run_seen_${kind}`

export function isGoing({ state }: ChannelRun): boolean {
  return state === 'running' || state === 'stopping'
}

/** The runs that were begun last; shared by all that show or begin one. */
export function useLastRuns() {
  return useData<ChannelRun[]>(path)
}

/** The tests and balances of all channels that go on, on whichever node, and how those came out that ended within a day.
 *  @param onEnd when one ends while the page is open; its channels have changed */
export function useRuns(onEnd: () => Promise<unknown>) {
  const { data: known } = useLastRuns()
  const refetchEveryMs = known?.some(isGoing) ? GOING_MS : IDLE_MS
  const { data, refresh } = useData<ChannelRun[]>(path, { refetchEveryMs, isAskedOnReturn: true })
  const [, setPutAway] = useState(0)
  const watched = useRef(0)
  useEffect(() => {
    const going = data?.filter(isGoing).length ?? 0
    if (going < watched.current) void onEnd()
    watched.current = going
  }, [data, onEnd])
  const stop = useCallback(
    async (kind: ChannelRun['kind']) => {
      await channelCalls.stopRun(kind)
      await refresh()
    },
    [refresh],
  )
  const putAway = useCallback(({ kind, started_at: beginning }: ChannelRun) => {
    writeStored(seenKey(kind), String(beginning))
    setPutAway((count) => count + 1)
  }, [])
  return { runs: data?.filter(isShown) ?? [], stop, putAway }
}

/** What the schedule does well every few minutes is no news. */
function isShown(run: ChannelRun): boolean {
  if (isGoing(run)) return true
  const isQuiet = run.username === '' && run.state === 'done'
  const isOld = run.ended_at < Date.now() / 1000 - ONE_DAY_S
  return !isQuiet && !isOld && readStored(seenKey(run.kind)) !== String(run.started_at)
}
