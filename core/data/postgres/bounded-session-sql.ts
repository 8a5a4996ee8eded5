/**
 * The first statement on every connection to PostgreSQL. It sets:
 *
 * - Time-outs. A node that stops between two statements, or whose machine disappears, holds its row locks and session
 *   locks until the server notices. By default this takes two hours, in which the commits of all other nodes wait.
 *   Stricter values of a server or role are kept, and settings that the server does not know are left out.
 * - No `idle_session_timeout`. A session may wait for hours, for the next charge or the next message of another node,
 *   and the locks by which a node is known to live would end with it.
 * - 32 MB of `work_mem`, unless somebody has set another value. In the default of 4 MB, the bitmap of a search in a
 *   large log holds pages instead of rows, so nearly all pages are read.
 * - Commits that are on disk. With synchronous_commit off, a server that crashes forgets the last of them: answers that
 *   were charged, and leases that their node goes on spending.
 * - READ COMMITTED. Rows are locked before they are read and written. In a stricter isolation, a transaction that had
 *   to wait for such a lock would fail when it gets it.
 */
export const boundSession = `SELECT set_config(name, bound, false)
  FROM pg_settings JOIN (VALUES
    ('idle_in_transaction_session_timeout', '10000'),
    ('tcp_keepalives_idle', '15'),
    ('tcp_keepalives_interval', '5'),
    ('tcp_keepalives_count', '3'),
    ('tcp_user_timeout', '30000')
  ) AS bounds (name, bound) USING (name)
  WHERE setting::bigint = 0 OR setting::bigint > bound::bigint
  UNION ALL SELECT set_config(name, '32MB', false) FROM pg_settings WHERE name = 'work_mem' AND setting = boot_val
  UNION ALL SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'
  UNION ALL SELECT set_config(name, 'on', false) FROM pg_settings WHERE name = 'synchronous_commit' AND setting = 'off'
  UNION ALL SELECT set_config('default_transaction_isolation', 'read committed', false)`

/** Further for connections on which nobody may wait for long for a row that another program has locked: calls of everybody wait for it. */
export const briefSession = `SELECT set_config('lock_timeout', '10000', false) FROM pg_settings
  WHERE name = 'lock_timeout' AND (setting::bigint = 0 OR setting::bigint > 10000)`

/** For transactions that may pause for longer: migrations. */
export const unboundTransaction = 'SET LOCAL idle_in_transaction_session_timeout = 0'

const unbound = (isLocal: boolean) => `SELECT set_config(name, '0', ${isLocal}) FROM pg_settings
  WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout')`

/** For the upgrade of the schema: the server's or the role's own limits are meant for calls, and on a large log each start would break off at them.
 *  A server that does not know one of them leaves it out. */
export const unboundUpgrade = unbound(true)

/** The same until the connection is closed. */
export const unboundSession = unbound(false)

/** The server processes that are working, including this one. */
export const busyBackends = `SELECT pid FROM pg_stat_activity WHERE COALESCE(state, '') NOT LIKE 'idle%'`

/** The server process that answers. */
export const ownBackend = 'SELECT pg_backend_pid() AS pid'

/** A server process. After a restart, or on the server that took over, another one may have its number. */
export interface ServerProcess {
  pid: number
  /** Of the process, in the microseconds that a Date does not have. */
  begun: string
}

const begun = `to_char(backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`

export const ownProcess = `SELECT pid, ${begun} AS begun FROM pg_stat_activity WHERE pid = pg_backend_pid()`

/** Ends it if it is still there. Another one with its number would end as well, or the server would refuse with an error. */
export const endProcess = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND ${begun} = $2`

/** The server, and the history of its log: a standby that is promoted begins another one. It may lack what the old server
 *  committed last. */
export const ownHistory = `SELECT system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS history
  FROM pg_control_system()`
