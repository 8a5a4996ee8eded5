import { useIsAdmin, useData } from '#console'
import type { AdminOverview, OwnOverview } from '../schema.ts'

const everyMs = 30_000
/** How often the overview is fetched while the first call has not arrived. */
const waitingEveryMs = 3_000

function today(): number {
  return Math.floor(new Date().setHours(0, 0, 0, 0) / 1000)
}

export function useAdminOverview() {
  const isEnabled = useIsAdmin()
  const query = { start: today() }
  const known = useData<AdminOverview>('/api/overview', { query, isEnabled: false })
  return useData<AdminOverview>('/api/overview', {
    query,
    isEnabled,
    refetchEveryMs: known.data?.checklist.call ? everyMs : waitingEveryMs,
  })
}

export function useOwnOverview() {
  return useData<OwnOverview>('/api/overview/self', {
    query: { start: today() },
    refetchEveryMs: everyMs,
  })
}
