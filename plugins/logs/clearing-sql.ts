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

/** Its process hears of it with its next note. Where that has ended, no other goes on with it.
 *  @returns false if none runs */
export async function cancelClearing(
  database: DatabaseService,
  values: { now: number },
): Promise<boolean> {
  const changed = await database.run(
    `UPDATE logs__clearing SET state = 'cancelled', ended_at = :now WHERE id = 1 AND state = 'running'`,
    values,
  )
  return changed === 1
}

/** What a cancelled clearing came to, if no other has been begun since. */
export async function noteCancelled(
  database: DatabaseService,
  values: { claim: string; cleared: number },
): Promise<void> {
  await database.run(
    `UPDATE logs__clearing SET cleared = :cleared WHERE id = 1 AND state = 'cancelled' AND claim = :claim`,
    values,
  )
}
