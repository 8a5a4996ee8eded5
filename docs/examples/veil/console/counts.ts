import { type Data, useData } from 'tollgate/console'

export interface DayCount {
  day: string
  kind: string
  hidden: number
}

export function useCounts(): Data<DayCount[]> {
  return useData<DayCount[]>('/api/veil')
}

export function sumOf(counts: readonly DayCount[]): number {
  return counts.reduce((sum, { hidden }) => sum + hidden, 0)
}
