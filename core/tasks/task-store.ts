import type { Transaction } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import type { TaskPlatform, TaskRecord, TaskReport, TaskSubmit } from '../contract/task.ts'
import type { Statement } from '../data/named-values.ts'

/** A row as core itself sees it: with what only the hooks need. */
export interface TaskRow extends TaskRecord {
  /** The client's address that is told of every change; empty for none. */
  hook_url: string
  /** Look-up hash of the secret in the hook address that the upstream got. */
  hook_hash: string
}

export interface NewTask {
  platform: TaskPlatform
  submit: TaskSubmit
  userId: number
  tokenId: number
  channelId: number
  requestId: string
  hookHash: string
}

/** What an accepted submit makes of its row. */
export interface AcceptedTask {
  id: number
  requestId: string
  submit: TaskSubmit
  channelId: number
  taskId: string
  units: number
  code: number
  report: Omit<TaskReport, 'taskId'>
}

export const taskColumns = `id, platform, screen, task_id, user_id, token_id, channel_id, model_name, action, quota, code,
  status, progress, fail_reason, input, data, created_at, updated_at, submit_ms, start_ms, finish_ms, is_open`

const allColumns = `${taskColumns}, hook_url, hook_hash`
/** Characters of a prompt that are kept. */
const longestInput = 20_000
const longestReason = 2_000

export type StoredTask<T extends TaskRecord = TaskRecord> = Omit<T, 'data' | 'is_open'> & {
  data: string
  is_open: boolean | number
}

/** Statements on table `tasks`; what they mean for money is told where they are used. */
export class TaskStore {
  readonly #database: DatabaseService

  constructor(database: DatabaseService) {
    this.#database = database
  }

  /** Enters a submit before it is sent. Nothing is charged for the row yet. */
  async begin(task: NewTask): Promise<number> {
    const { platform, submit } = task
    const [row] = await this.#database.select<{ id: number }>(
      `INSERT INTO tasks (platform, screen, user_id, token_id, channel_id, model_name, action, input, hook_url,
        hook_hash, request_id, created_at, updated_at, submit_ms)
      VALUES (:platform, :screen, :userId, :tokenId, :channelId, :model, :action, :input, :hook,
        :hookHash, :requestId, :now, :now, :nowMs) RETURNING id`,
      {
        platform: platform.id,
        screen: platform.screen ?? 'tasks',
        userId: task.userId,
        tokenId: task.tokenId,
        channelId: task.channelId,
        model: submit.model,
        action: submit.action,
        input: storable(submit.input).slice(0, longestInput),
        hook: submit.hook ?? '',
        hookHash: task.hookHash,
        requestId: task.requestId,
        now: nowSeconds(),
        nowMs: Date.now(),
      },
    )
    if (row === undefined) throw new Error('a new task row has no id')
    return row.id
  }

  /**
   * Ends a row that holds no money: a submit that was refused or interrupted.
   * @returns false when it had ended before, or was accepted meanwhile
   */
  async endUncharged(id: number, end: { reason: string; code?: number }): Promise<boolean> {
    const changed = await this.#database.run(
      `UPDATE tasks SET status = 'FAILURE', progress = '100%', fail_reason = :reason, code = :code,
        finish_ms = :nowMs, updated_at = :now, is_open = FALSE
      WHERE id = :id AND is_open AND quota = 0`,
      {
        id,
        reason: storable(end.reason).slice(0, longestReason),
        code: end.code ?? 0,
        now: nowSeconds(),
        nowMs: Date.now(),
      },
    )
    return changed > 0
  }

  /** Ends a row that still holds its charge; the caller gives the charge back in the same transaction.
   *  @returns false when it had ended before, or its charge is another one by now */
  async endCharged(
    task: TaskRow,
    report: Partial<TaskReport>,
    transaction: Transaction,
  ): Promise<boolean> {
    const finishMs = report.finishMs || Date.now()
    const { sql, values } = changesOf({ ...report, status: 'FAILURE', progress: '100%', finishMs })
    const changed = await this.#database.run(
      `UPDATE tasks SET ${sql}, is_open = FALSE WHERE id = :id AND is_open AND quota = :quota`,
      {
        ...values,
        id: task.id,
        quota: task.quota,
      },
      transaction,
    )
    return changed > 0
  }

  /** Writes progress or success. @returns false when the task had ended before */
  async report(id: number, report: TaskReport): Promise<boolean> {
    const hasEnded = report.state === 'succeeded'
    const { sql, values } = changesOf(hasEnded ? { ...report, progress: '100%' } : report)
    const end = hasEnded ? ', is_open = FALSE' : ''
    const changed = await this.#database.run(
      `UPDATE tasks SET ${sql}${end} WHERE id = :id AND is_open`,
      { ...values, id },
    )
    return changed > 0
  }

  /** The newest of that id, whoever owns it. */
  async find(platform: string, taskId: string, userId?: number): Promise<TaskRow | undefined> {
    const [row] = await this.#rows(
      `platform = :platform AND task_id = :taskId AND task_id <> ''
        ${userId === undefined ? '' : 'AND user_id = :userId'} ORDER BY id DESC LIMIT 1`,
      { platform, taskId, userId },
    )
    return row
  }

  async listOwn(platform: string, userId: number, taskIds: readonly string[]): Promise<TaskRow[]> {
    if (taskIds.length === 0) return []
    return this.#rows(
      `platform = :platform AND user_id = :userId AND task_id IN (:taskIds) AND task_id <> '' ORDER BY id`,
      { platform, userId, taskIds },
    )
  }

  /** Unfinished rows of an id. */
  openOf(platform: string, taskId: string): Promise<TaskRow[]> {
    const where = `platform = :platform AND task_id = :taskId AND task_id <> '' AND is_open ORDER BY id`
    return this.#rows(where, { platform, taskId })
  }

  /** Unfinished rows after an id, oldest first. */
  open(platforms: readonly string[], afterId: number, limit: number): Promise<TaskRow[]> {
    if (platforms.length === 0) return Promise.resolve([])
    return this.#rows(
      'is_open AND platform IN (:platforms) AND id > :afterId ORDER BY id LIMIT :limit',
      { platforms, afterId, limit },
    )
  }

  async hasChannel(id: number): Promise<boolean> {
    const rows = await this.#database.select('SELECT id FROM channels WHERE id = :id', { id })
    return rows.length > 0
  }

  async #rows(where: string, replacements: Record<string, unknown>): Promise<TaskRow[]> {
    const rows = await this.#database.select<StoredTask<TaskRow>>(
      `SELECT ${allColumns} FROM tasks WHERE ${where}`,
      replacements,
    )
    return rows.map((row) => fromStored<TaskRow>(row))
  }
}

/**
 * What an accepted submit changes, for the ledger's batch. A submit that the upstream took as the next step of
 * a waiting task (same id) becomes part of that task's row; it gets a row of its own if that task ended meanwhile.
 */
export function acceptedStatements(task: AcceptedTask): Statement[] {
  const { submit, report } = task
  const set: Record<string, string | number | boolean> = {
    task_id: task.taskId,
    channel_id: task.channelId,
    model_name: submit.model,
    action: submit.action,
    code: task.code,
    fail_reason: '',
    status: report.status ?? 'SUBMITTED',
    progress: report.state === 'succeeded' ? '100%' : (report.progress ?? '0%'),
    data: storable(JSON.stringify(report.data ?? null)),
    finish_ms: report.state === 'succeeded' ? (report.finishMs ?? Date.now()) : 0,
    updated_at: nowSeconds(),
    is_open: report.state !== 'succeeded',
  }
  const columns = Object.keys(set)
    .map((column) => `${column} = :${column}`)
    .join(', ')
  const { origin } = submit
  const values = { ...set, id: task.id, units: task.units, requestId: task.requestId }
  const own = { sql: `UPDATE tasks SET ${columns}, quota = :units WHERE id = :id`, values }
  if (origin?.task_id !== task.taskId) return [own]
  const withOrigin = { ...values, originId: origin.id }
  return [
    {
      sql: `UPDATE tasks SET ${columns}, quota = quota + :units, request_id = :requestId
        WHERE id = :originId AND is_open`,
      values: withOrigin,
    },
    {
      sql: `DELETE FROM tasks WHERE id = :id AND EXISTS
        (SELECT 1 FROM tasks WHERE id = :originId AND request_id = :requestId)`,
      values: withOrigin,
    },
    own,
  ]
}

export function fromStored<T extends TaskRecord>(row: StoredTask<T>): T {
  return { ...row, data: JSON.parse(row.data) as unknown, is_open: Boolean(row.is_open) } as T
}

/** Empty values of the upstream overwrite nothing. */
function changesOf(report: Partial<TaskReport>) {
  const columns: Record<string, unknown> = {
    status: report.status,
    progress: report.progress,
    fail_reason: report.failReason && storable(report.failReason).slice(0, longestReason),
    input: report.input && storable(report.input).slice(0, longestInput),
    submit_ms: report.submitMs,
    start_ms: report.startMs,
    finish_ms: report.finishMs,
    data: report.data && storable(JSON.stringify(report.data)),
  }
  const values: Record<string, unknown> = { now: nowSeconds() }
  const assignments = ['updated_at = :now']
  for (const [column, value] of Object.entries(columns)) {
    if (value === undefined || value === null || value === '' || value === 0) continue
    values[column] = value
    assignments.push(`${column} = :${column}`)
  }
  return { sql: assignments.join(', '), values }
}

/** PostgreSQL stores no NUL. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
