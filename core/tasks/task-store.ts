import { literal, Op, type FindOptions, type Transaction, type WhereOptions } from 'sequelize'
import type { DatabaseService } from '../contract/services.ts'
import type { TaskPlatform, TaskReport, TaskSubmit } from '../contract/task.ts'
import { channelModel } from '../data/models/channel.ts'
import { plainRows } from '../data/models/define-model.ts'
import { tasks, toTaskRow, type StoredTask, type TaskRow } from '../data/models/task.ts'
import { tokens } from '../data/models/token.ts'
import { users } from '../data/models/user.ts'

export interface NewTask {
  platform: TaskPlatform
  submit: TaskSubmit
  userId: number
  tokenId: number
  channelId: number
  requestId: string
  hookHash: string
  fileKey: string
}

export interface TaskOwner {
  username: string
  token_name: string
}

/** Characters of a prompt that are stored. */
const longestInput = 20_000
const longestReason = 2_000

/** Written exactly as in the index on open rows; SQLite uses the index only then. */
const isOpen = literal('is_open')

/** Reads and writes table `tasks` through its model. What this means for money is explained where it is called. */
export class TaskStore {
  readonly #database: DatabaseService

  constructor(database: DatabaseService) {
    this.#database = database
  }

  /** Inserts a submit before it is sent. The row has no charge yet. */
  async begin(task: NewTask): Promise<number> {
    const { platform, submit } = task
    const row = await tasks(this.#database).create({
      platform: platform.id,
      screen: platform.screen ?? 'tasks',
      user_id: task.userId,
      token_id: task.tokenId,
      channel_id: task.channelId,
      model_name: submit.model,
      action: submit.action,
      input: submit.input.slice(0, longestInput),
      hook_url: submit.hook ?? '',
      hook_hash: task.hookHash,
      file_key: task.fileKey,
      request_id: task.requestId,
      created_at: nowSeconds(),
      updated_at: nowSeconds(),
      submit_ms: Date.now(),
    })
    return row.get({ plain: true }).id
  }

  /** Ends a row without a charge: a submit that was refused or interrupted.
   *  @returns false if it had ended before, or was accepted meanwhile */
  endUncharged(id: number, end: { reason: string; code?: number }): Promise<boolean> {
    const failed = { status: 'FAILURE', progress: '100%', finish_ms: Date.now(), is_open: false }
    const fail_reason = end.reason.slice(0, longestReason)
    const changes = { ...failed, fail_reason, code: end.code ?? 0, updated_at: nowSeconds() }
    return this.#change({ id, is_open: true, quota: 0 }, changes)
  }

  /** Ends a row that still holds its charge; the caller returns the charge in the same transaction.
   *  @returns false if it had ended before, or holds another charge by now */
  endCharged(
    task: TaskRow,
    report: Partial<TaskReport>,
    transaction: Transaction,
  ): Promise<boolean> {
    const finishMs = report.finishMs || Date.now()
    const changes = changesOf({ ...report, status: 'FAILURE', progress: '100%', finishMs })
    const where = { id: task.id, is_open: true, quota: task.quota }
    return this.#change(where, { ...changes, is_open: false }, transaction)
  }

  /** Writes progress or success. @returns false if the task had ended before */
  report(id: number, report: TaskReport): Promise<boolean> {
    const changes =
      report.state === 'succeeded'
        ? { ...changesOf({ ...report, progress: '100%' }), is_open: false }
        : changesOf(report)
    return this.#change({ id, is_open: true }, changes)
  }

  /** The newest row of that id, whoever owns it. */
  async find(platform: string, taskId: string, userId?: number): Promise<TaskRow | undefined> {
    if (taskId === '') return undefined
    const owner = userId === undefined ? {} : { user_id: userId }
    const where = { platform, task_id: taskId, ...owner }
    return (await this.#rows({ where, order: [['id', 'DESC']], limit: 1 }))[0]
  }

  async listOwn(platform: string, userId: number, taskIds: readonly string[]): Promise<TaskRow[]> {
    const known = taskIds.filter((id) => id !== '')
    if (known.length === 0) return []
    return this.#rows({ where: { platform, user_id: userId, task_id: known }, order: ['id'] })
  }

  /** The unfinished rows of an id. */
  async openOf(platform: string, taskId: string): Promise<TaskRow[]> {
    if (taskId === '') return []
    const where = { [Op.and]: [isOpen, { platform, task_id: taskId }] }
    return this.#rows({ where, order: ['id'] })
  }

  /** Unfinished rows after an id, oldest first. */
  async open(platforms: readonly string[], afterId: number, limit: number): Promise<TaskRow[]> {
    if (platforms.length === 0) return []
    const where = { [Op.and]: [isOpen, { platform: [...platforms], id: { [Op.gt]: afterId } }] }
    return this.#rows({ where, order: ['id'], limit })
  }

  /** The hash of the key that a task was submitted with. */
  async keyHashOf(id: number): Promise<string> {
    return (await this.#rows({ where: { id }, limit: 1 }))[0]?.key_hash ?? ''
  }

  async hasChannel(id: number): Promise<boolean> {
    return (await channelModel(this.#database).count({ where: { id } })) > 0
  }

  /** The names of a task's account and token, as log rows hold them. Undefined where the account was removed: it has no balance to return the charge to. */
  async ownerOf({
    user_id: userId,
    token_id: tokenId,
  }: Pick<TaskRow, 'user_id' | 'token_id'>): Promise<TaskOwner | undefined> {
    const user = await users(this.#database).findByPk(userId, { attributes: ['username'] })
    if (user === null) return undefined
    const token = await tokens(this.#database).findByPk(tokenId, { attributes: ['name'] })
    return { username: user.get().username, token_name: token?.get().name ?? '' }
  }

  async #rows(options: FindOptions<StoredTask>): Promise<TaskRow[]> {
    return plainRows(await tasks(this.#database).findAll(options)).map(toTaskRow)
  }

  async #change(
    where: WhereOptions<StoredTask>,
    changes: Partial<StoredTask>,
    transaction?: Transaction,
  ): Promise<boolean> {
    const options = { where, transaction: transaction ?? null }
    const [changed] = await tasks(this.#database).update(changes, options)
    return changed > 0
  }
}

/** Empty values of the upstream overwrite nothing. */
function changesOf(report: Partial<TaskReport>): Partial<StoredTask> {
  const reported: Partial<Record<keyof StoredTask, string | number | undefined>> = {
    status: report.status,
    progress: report.progress,
    fail_reason: report.failReason?.slice(0, longestReason),
    input: report.input?.slice(0, longestInput),
    submit_ms: report.submitMs,
    start_ms: report.startMs,
    finish_ms: report.finishMs,
    data: report.data ? JSON.stringify(report.data) : undefined,
  }
  const given = Object.entries(reported).filter(([, value]) => value !== undefined && !!value)
  return { ...Object.fromEntries(given), updated_at: nowSeconds() }
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
