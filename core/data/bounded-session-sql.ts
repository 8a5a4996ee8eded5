/**
 * First on every connection to PostgreSQL. A node that stops between two statements, or whose machine is gone without a word,
 * holds its row locks and session locks until the server notices: by its defaults in two hours, for all of which the other
 * nodes' commits would wait. A server or role that is stricter stays so; what a server does not know is left out.
 *
 * What a session of ours waits for may not come for hours: a call whose charge is written, a message of another node. Where idle sessions are ended
 * (`idle_session_timeout`), the locks that a node lives by would go with them.
 *
 * In the 4 MB that a server gives a statement by default, which rows of a large log have two values is known by the page only: it read all pages. Where
 * somebody has set it, it stays so.
 *
 * What is written is locked before it is read. Where a role or database is set to a stricter isolation, whoever waited for such a lock is refused
 * when it comes free: each second save beside another, and the commits of calls.
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
  UNION ALL SELECT set_config('default_transaction_isolation', 'read committed', false)`

/** For transactions that may pause for longer: migrations. */
export const unboundTransaction = 'SET LOCAL idle_in_transaction_session_timeout = 0'

/** The server processes that are working, including this one. */
export const busyBackends = `SELECT pid FROM pg_stat_activity WHERE COALESCE(state, '') NOT LIKE 'idle%'`

/** The server process that answers. */
export const ownBackend = 'SELECT pg_backend_pid() AS pid'
