import { useData } from '#console'
import { countedKinds, type CountedKind, type MaskingFigures } from '../schema.ts'

const everyMs = 30_000

export function useMaskingFigures() {
  return useData<MaskingFigures>('/api/pii-masking/', { refetchEveryMs: everyMs })
}

export interface KindSums {
  kind: CountedKind
  today: number
  week: number
  month: number
}

/** Days are counted in UTC. */
export function sumsOf({ days }: MaskingFigures, nowMs = Date.now()): KindSums[] {
  const dayAgo = (count: number) => new Date(nowMs - count * 86_400_000).toISOString().slice(0, 10)
  const since = (kind: CountedKind, first: string) =>
    days.reduce((sum, { day, kinds }) => sum + (day >= first ? (kinds[kind] ?? 0) : 0), 0)
  return countedKinds.map((kind) => ({
    kind,
    today: since(kind, dayAgo(0)),
    week: since(kind, dayAgo(6)),
    month: since(kind, dayAgo(29)),
  }))
}
