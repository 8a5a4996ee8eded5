// One user, one token and one channel over a real ledger, for tests of what tasks cost.
import type { JsonObject, TaskPlatform, TaskSubmit } from '#core'
import { ChannelIndex } from '../../core/channels/routing/channel-index.ts'
import type { TaskDeps } from '../../core/tasks/task-deps.ts'
import { plainRows } from '../../core/data/models/define-model.ts'
import { tasks, toTaskRow, type TaskRow } from '../../core/data/models/task.ts'
import { acceptedStatements } from '../../core/tasks/accepted-task-sql.ts'
import { TaskStore } from '../../core/tasks/task-store.ts'
import { type CoreServices, createCoreServices, fixedOptions } from './core-services.ts'
import { type DatabaseKind, quietLog } from './databases.ts'

const startBalance = 1000
const startRemain = 500

export interface Figures {
  balance: number
  used: number
  remain: number
  tokenStatus: number
  tokenUsed: number
  channelUsed: number
  refunds: { ref: string; amount: number }[]
  refundRows: JsonObject[]
}

export async function openTaskBooks(kind: DatabaseKind): Promise<TaskBooks> {
  return new TaskBooks(await createCoreServices(kind))
}

export class TaskBooks {
  readonly deps: TaskDeps
  /** The requests that were sent to clients' hooks. */
  readonly posted: { url: string; body: JsonObject }[] = []
  readonly #core: CoreServices
  #owner = { userId: 0, tokenId: 0, channelId: 0 }
  #calls = 0

  constructor(core: CoreServices) {
    this.#core = core
    const index = new ChannelIndex()
    this.deps = {
      ...core,
      store: new TaskStore(core.database),
      index: () => index,
      options: fixedOptions({
        LogConsumeEnabled: true,
        DisplayInCurrencyEnabled: false,
        ServerAddress: '',
      }),
      http: {} as TaskDeps['http'],
      log: quietLog,
      hooks: { post: (url, body) => void this.posted.push({ url, body }) },
    }
  }

  get database(): CoreServices['database'] {
    return this.#core.database
  }

  get ledger(): CoreServices['ledger'] {
    return this.#core.ledger
  }

  close(): Promise<void> {
    return this.#core.close()
  }

  /** Resets to a user with 1000 units and a token with 500. */
  async empty(): Promise<void> {
    await this.ledger.flush()
    await this.ledger.returnIdleLeases(0)
    for (const table of ['tasks', 'users', 'tokens', 'channels', 'ledger_entries', 'logs'])
      await this.database.run(`DELETE FROM ${table}`)
    this.posted.length = 0
    const number = (this.#calls += 1)
    const userId = await this.#insert(`INSERT INTO users (username) VALUES ('ada ${number}')`)
    const tokenId = await this.#addToken(userId, "ada''s token")
    const channelId = await this.#insert(
      `INSERT INTO channels (type, "key", name, created_time) VALUES (1, '', 'one', 0)`,
    )
    this.#owner = { userId, tokenId, channelId }
    const ref = `start ${number}`
    await this.database.transaction((transaction) =>
      this.ledger.change({ userId, units: startBalance, kind: 'topup', ref, transaction }),
    )
  }

  /** What follows is submitted with another token of the user, which has 500 units too. */
  async takeOtherToken(): Promise<void> {
    const { userId } = this.#owner
    this.#owner.tokenId = await this.#addToken(userId, 'other token')
  }

  /** The row of a submit that has no answer yet. */
  begin(platform: TaskPlatform, submit: TaskSubmit): Promise<number> {
    const requestId = `request ${(this.#calls += 1)}`
    return this.deps.store.begin({
      platform,
      submit,
      ...this.#owner,
      requestId,
      hookHash: '',
      fileKey: '',
    })
  }

  /** A submit that the upstream accepted: row, reservation and settlement. */
  async accept(
    platform: TaskPlatform,
    submit: TaskSubmit,
    { taskId, units, extraSql }: { taskId: string; units: number; extraSql?: string },
  ): Promise<void> {
    const id = await this.begin(platform, submit)
    const requestId = `request ${this.#calls}`
    const { channelId, tokenId } = this.#owner
    const wanted = { requestId, ...this.#owner, isTokenLimited: true, units }
    const reservation = await this.ledger.reserve(wanted)
    const report = { state: 'open' as const }
    const place = { id, requestId, submit, channelId, tokenId, keyHash: '' }
    const accepted = Object.assign(place, { taskId, units, code: 1, report })
    const extra = extraSql === undefined ? [] : [{ sql: extraSql }]
    const alongside = [...acceptedStatements(accepted), ...extra]
    await this.ledger.settle(reservation, { units, channelId, alongside })
  }

  async rows(): Promise<TaskRow[]> {
    return plainRows(await tasks(this.database).findAll({ order: ['id'] })).map(toTaskRow)
  }

  async newest(): Promise<TaskRow> {
    const row = (await this.rows()).at(-1)
    if (row === undefined) throw new Error('there is no task')
    return row
  }

  async removeOwner(): Promise<void> {
    await this.database.run('DELETE FROM ledger_entries')
    await this.database.run('DELETE FROM users')
  }

  async figures(): Promise<Figures> {
    await this.ledger.flush()
    const one = async (sql: string) => (await this.database.select<JsonObject>(sql))[0] ?? {}
    const user = await one('SELECT quota, used_quota FROM users')
    const token = await one('SELECT remain_quota, used_quota, status FROM tokens')
    const channel = await one('SELECT used_quota FROM channels')
    return {
      balance: Number(user['quota']),
      used: Number(user['used_quota']),
      remain: Number(token['remain_quota']),
      tokenStatus: Number(token['status']),
      tokenUsed: Number(token['used_quota']),
      channelUsed: Number(channel['used_quota']),
      refunds: await this.database.select(
        `SELECT ref, amount FROM ledger_entries WHERE kind = 'refund'`,
      ),
      refundRows: await this.database.select(
        'SELECT type, quota, content, username, token_name FROM logs WHERE type = 4',
      ),
    }
  }

  /** What is left of each token and what it has used, the oldest token first. */
  async tokens(): Promise<[number, number][]> {
    await this.ledger.flush()
    const rows = await this.database.select<{ remain: number; used: number }>(
      'SELECT remain_quota AS remain, used_quota AS used FROM tokens ORDER BY id',
    )
    return rows.map(({ remain, used }) => [remain, used])
  }

  #addToken(userId: number, name: string): Promise<number> {
    const hash = `hash ${(this.#calls += 1)}`
    return this.#insert(
      `INSERT INTO tokens (user_id, name, "key", key_hash, created_time, accessed_time, remain_quota)
      VALUES (${userId}, '${name}', '', '${hash}', 0, 0, ${startRemain})`,
    )
  }

  async #insert(sql: string): Promise<number> {
    const [row] = await this.database.select<{ id: number }>(`${sql} RETURNING id`)
    return row?.id ?? 0
  }
}
