import type { DatabaseService } from '#core'
import type { Clearing } from './schema.ts'

type StoredState = Clearing['state'] | ''
export type StoredClearing = Omit<Clearing, 'state'> & { state: StoredState }

export async function readClearing(database: DatabaseService): Promise<StoredClearing | undefined> {
  const [clearing] = await database.select<StoredClearing>(
    'SELECT target_timestamp, username, started_at, ended_at, cleared, state FROM logs__clearing WHERE id = 1',
  )
  return clearing
}

/** @returns false while another clearing runs */
export async function beginClearing(
  database: DatabaseService,
  values: { target: number; username: string; claim: string; now: number },
): Promise<boolean> {
  const changed = await database.run(
    `UPDATE logs__clearing SET target_timestamp = :target, username = :username, started_at = :now, ended_at = 0,
       cleared = 0, state = 'running', claim = :claim, seen_at = :now
     WHERE id = 1 AND state <> 'running'`,
    values,
  )
  return changed === 1
}

/** Takes over a running clearing that has not been reported on for `silence` seconds. A report that lies as far ahead is
 *  one from before the clock was set back.
 *  @returns false if there is none */
export async function claimClearing(
  database: DatabaseService,
  values: { claim: string; now: number; silence: number },
): Promise<boolean> {
  const changed = await database.run(
    `UPDATE logs__clearing SET claim = :claim, seen_at = :now
     WHERE id = 1 AND state = 'running' AND seen_at NOT BETWEEN :now - :silence AND :now + :silence`,
    values,
  )
  return changed === 1
}

/** @returns false if another process has taken it over */
export async function noteClearing(
  database: DatabaseService,
  values: { claim: string; cleared: number; state: Clearing['state']; seen: number; ended: number },
): Promise<boolean> {
  const changed = await database.run(
    `UPDATE logs__clearing SET cleared = :cleared, state = :state, seen_at = :seen, ended_at = :ended
     WHERE id = 1 AND state = 'running' AND claim = :claim`,
    values,
  )
  return changed === 1
}
