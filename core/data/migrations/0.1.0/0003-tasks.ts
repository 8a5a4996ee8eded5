import type { MigrationContext } from '../../migrate.ts'

/** Drawing, music and video tasks of all platforms. `quota` is what the ledger has charged for the row. */
export async function up({ run, dialect }: MigrationContext): Promise<void> {
  const id = dialect === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'BIGSERIAL PRIMARY KEY'
  await run(`CREATE TABLE tasks (
    id ${id},
    platform TEXT NOT NULL,
    screen TEXT NOT NULL,
    task_id TEXT NOT NULL DEFAULT '',
    user_id BIGINT NOT NULL,
    token_id BIGINT NOT NULL DEFAULT 0,
    channel_id BIGINT NOT NULL DEFAULT 0,
    model_name TEXT NOT NULL DEFAULT '',
    action TEXT NOT NULL DEFAULT '',
    quota BIGINT NOT NULL DEFAULT 0,
    code INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL DEFAULT '',
    progress TEXT NOT NULL DEFAULT '0%',
    fail_reason TEXT NOT NULL DEFAULT '',
    input TEXT NOT NULL DEFAULT '',
    data TEXT NOT NULL DEFAULT 'null',
    hook_url TEXT NOT NULL DEFAULT '',
    hook_hash TEXT NOT NULL DEFAULT '',
    request_id TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    submit_ms BIGINT NOT NULL DEFAULT 0,
    start_ms BIGINT NOT NULL DEFAULT 0,
    finish_ms BIGINT NOT NULL DEFAULT 0,
    is_open BOOLEAN NOT NULL DEFAULT TRUE
  )`)
  await run('CREATE INDEX tasks_open ON tasks (id) WHERE is_open')
  await run('CREATE INDEX tasks_task ON tasks (task_id)')
  await run('CREATE INDEX tasks_user ON tasks (user_id, id)')
  await run('CREATE INDEX tasks_screen ON tasks (screen, id)')
}
