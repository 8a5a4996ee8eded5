// A span as a few ranges of sums: coarse ones inside, finer ones at its ends, taken away where the coarse ones reach beyond it.
import { HOUR_SECONDS } from './add-hours-sql.ts'

/** Sums of equal length. */
export interface Unit {
  seconds: number
  /** How far their beginnings are shifted from the epoch, as those of steps are; 0, where it is left out. */
  offset?: number
  /** Between these seconds the sums are whole. */
  from: number
  to: number
}

export interface Range {
  from: number
  /** The first second behind it. */
  to: number
}

export interface Part<U extends Unit> extends Range {
  unit: U
  sign: 1 | -1
}

/** @param units the coarsest first; the last one is whole at any time, and the range is of whole ones of it */
export function partsOf<U extends Unit>(
  range: Range,
  units: readonly U[],
  now: number,
  sign: 1 | -1 = 1,
): Part<U>[] {
  const [unit, ...finer] = units
  if (unit === undefined || range.from >= range.to) return []
  if (finer.length === 0) return [{ ...range, unit, sign }]
  const from = Math.max(edgeAt(range.from, unit, now), roundedUp(unit.from, unit))
  const to = Math.min(edgeAt(range.to, unit, now), roundedDown(unit.to, unit))
  if (from >= to) return partsOf(range, finer, now, sign)
  const between = (left: number, right: number) =>
    left < right
      ? partsOf({ from: left, to: right }, finer, now, sign)
      : partsOf({ from: right, to: left }, finer, now, sign === 1 ? -1 : 1)
  return [{ from, to, unit, sign }, ...between(range.from, from), ...between(to, range.to)]
}

/** The first seconds of its sums. */
export function timesOf({ from, to, unit }: Part<Unit>): number[] {
  const count = Math.ceil((to - from) / unit.seconds)
  return Array.from({ length: count }, (_, at) => from + at * unit.seconds)
}

/** Where a sum begins or ends that is the fewest hours from this one; what is to come is nothing. */
function edgeAt(time: number, unit: Unit, now: number): number {
  const before = roundedDown(time, unit)
  if (before === time) return time
  const after = before + unit.seconds
  const hour = { seconds: HOUR_SECONDS }
  const rest = Math.min(after, roundedDown(now, hour) + HOUR_SECONDS) - time
  return rest < time - before ? after : before
}

type Beginnings = Pick<Unit, 'seconds' | 'offset'>

function roundedDown(time: number, { seconds, offset = 0 }: Beginnings): number {
  return time === Infinity ? Infinity : time - ((time + offset) % seconds)
}

function roundedUp(time: number, { seconds, offset = 0 }: Beginnings): number {
  return Math.ceil((time + offset) / seconds) * seconds - offset
}
