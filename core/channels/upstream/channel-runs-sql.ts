// The runs over all channels as every node sees them. All times are of the database's clock, because those of nodes differ.
import type { ChannelRun, ChannelRunKind } from '../../contract/channel-services.ts'
import type { DatabaseService } from '../../contract/services.ts'
import { serverNow } from '../../data/postgres/server-now-sql.ts'

/** A run without a note for this long has lost its process. */
const SILENT_SECONDS = 20

export type RunCounts = Pick<ChannelRun, 'done' | 'failed' | 'skipped'>

/** Of a run whose process lives. A note that lies as far ahead is one from before the clock was set back. */
function isHeard(now: string): string {
  return `channel_runs.state IN ('running', 'stopping')
    AND channel_runs.seen_at BETWEEN ${now} - ${SILENT_SECONDS} AND ${now} + ${SILENT_SECONDS}`
}

function nowOf({ dialect }: DatabaseService): string {
  return dialect === 'postgres' ? serverNow : 'unixepoch()'
}

/** Those that were begun last, one of each kind. */
export async function readRuns(database: DatabaseService): Promise<ChannelRun[]> {
  const rows = await database.select<ChannelRun & { seen_at: number; heard: number }>(
    `SELECT kind, state, host, username, stopped_by, total, done, failed, skipped, started_at, seen_at,
       CASE WHEN ${isHeard(nowOf(database))} THEN 1 ELSE 0 END AS heard
     FROM channel_runs ORDER BY kind DESC`,
  )
  return rows.map(({ seen_at, heard, ...run }) => {
    const isOpen = run.state === 'running' || run.state === 'stopping'
    if (isOpen && heard === 1) return { ...run, ended_at: 0 }
    return { ...run, state: isOpen ? 'lost' : run.state, ended_at: seen_at }
  })
}

/** @returns false while another run of this kind is under way, on any node */
export async function beginRun(
  database: DatabaseService,
  values: Pick<ChannelRun, 'kind' | 'host' | 'username' | 'total'> & { claim: string },
): Promise<boolean> {
  const now = nowOf(database)
  const changed = await database.run(
    `INSERT INTO channel_runs (kind, state, claim, host, username, total, started_at, seen_at)
     VALUES (:kind, 'running', :claim, :host, :username, :total, ${now}, ${now})
     ON CONFLICT (kind) DO UPDATE SET state = 'running', claim = excluded.claim, host = excluded.host,
       username = excluded.username, stopped_by = '', total = excluded.total, done = 0, failed = 0, skipped = 0,
       started_at = excluded.started_at, seen_at = excluded.seen_at
     WHERE NOT (${isHeard(now)})`,
    values,
  )
  return changed === 1
}

/** Asks the node that works on the run to stop it; the next note hears of it. */
export async function askToStop(
  database: DatabaseService,
  values: { kind: ChannelRunKind; username: string },
): Promise<void> {
  await database.run(
    `UPDATE channel_runs SET state = 'stopping', stopped_by = :username
     WHERE kind = :kind AND state = 'running' AND ${isHeard(nowOf(database))}`,
    values,
  )
}

/** Notes how far a run is.
 *  @returns whether it goes on: nobody has stopped it, and no other run has taken its place */
export async function noteRun(
  database: DatabaseService,
  values: RunCounts & { kind: ChannelRunKind; claim: string },
): Promise<boolean> {
  await database.run(
    `UPDATE channel_runs SET done = :done, failed = :failed, skipped = :skipped, seen_at = ${nowOf(database)}
     WHERE kind = :kind AND claim = :claim`,
    values,
  )
  const [going] = await database.select(
    `SELECT kind FROM channel_runs WHERE kind = :kind AND claim = :claim AND state = 'running'`,
    { kind: values.kind, claim: values.claim },
  )
  return going !== undefined
}

export async function endRun(
  database: DatabaseService,
  values: RunCounts & { kind: ChannelRunKind; claim: string; state: ChannelRun['state'] },
): Promise<void> {
  await database.run(
    `UPDATE channel_runs SET state = :state, done = :done, failed = :failed, skipped = :skipped,
       seen_at = ${nowOf(database)}
     WHERE kind = :kind AND claim = :claim`,
    values,
  )
}
