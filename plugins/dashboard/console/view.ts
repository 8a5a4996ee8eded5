// The view of the dashboard, kept in the address so that it can be shared.
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { readStored, useIsAdmin } from '#console'
import type { Measure, Step } from './series.ts'
import { ownRanges, type Range, ranges, type Span, spanOf } from './span.ts'

export const measures = ['quota', 'count', 'token_used'] as const
export const steps = ['hour', 'day', 'week'] as const
export const kinds = ['time', 'share', 'rank'] as const
export type Kind = (typeof kinds)[number]

export interface View {
  measure: Measure
  kind: Kind
  step: Step
  /** Undefined where the span was chosen by hand. */
  range: Range | undefined
  span: Span
  username: string
  /** Id of the user that was chosen in the ranking; blank where a name was typed. */
  userId: string
  change(changes: Record<string, string>): void
  /** Sets the end of the span to now. */
  renew(): void
}

const defaultRange: Record<Step, Range> = { hour: '1d', day: '7d', week: '30d' }

export function useView(): View {
  const isAdmin = useIsAdmin()
  const [search, setSearch] = useSearchParams()
  const [now, setNow] = useState(() => new Date())
  const wanted = oneOf(steps, readStored('data_export_default_time')) ?? 'hour'
  const step = oneOf(steps, search.get('step')) ?? wanted
  const chosen = handSpan(search)
  const range = oneOf(isAdmin ? ranges : ownRanges, search.get('range')) ?? defaultRange[wanted]
  return {
    measure: oneOf(measures, search.get('measure')) ?? 'quota',
    kind: oneOf(kinds, search.get('kind')) ?? 'time',
    step,
    range: chosen ? undefined : range,
    span: chosen ?? spanOf(range, now),
    username: isAdmin ? (search.get('username') ?? '') : '',
    userId: isAdmin ? (search.get('user_id') ?? '') : '',
    // Each view is an entry of the history, so that Back leads from a user to the ranking in which the user was
    // chosen.
    change: (changes) =>
      setSearch(
        (current) => {
          const next = new URLSearchParams(current)
          for (const [name, value] of Object.entries(changes)) {
            if (value === '') next.delete(name)
            else next.set(name, value)
          }
          return next
        },
        // The figures of another user are read from the top. The same figures in another form keep the scroll
        // position.
        { preventScrollReset: changes.username === undefined },
      ),
    renew: () => setNow(new Date()),
  }
}

function oneOf<T extends string>(
  known: readonly T[],
  value: string | null | undefined,
): T | undefined {
  return known.find((entry) => entry === value)
}

function handSpan(search: URLSearchParams): Span | undefined {
  const start = Number(search.get('start_timestamp') ?? Number.NaN)
  const end = Number(search.get('end_timestamp') ?? Number.NaN)
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) && start > 0 && end > start
    ? { start, end }
    : undefined
}
