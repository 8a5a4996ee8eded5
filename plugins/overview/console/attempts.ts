import type { Sums } from '../schema.ts'

/** All calls, those that failed too. */
export function attemptsOf({ calls, errors }: Pick<Sums, 'calls' | 'errors'>): number {
  return calls + errors
}
