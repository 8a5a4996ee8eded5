// One user, one token and one channel over a real ledger, for tests of what tasks cost.
import type { JsonObject, TaskPlatform, TaskSubmit } from '#core'
import {
  acceptedSql,
  fromStored,
  type StoredTask,
  TaskStore,
  type TaskRow,
} from '../../core/tasks/task-store.ts'
import type { TaskDeps } from '../../core/tasks/task-deps.ts'
import { ChannelIndex } from '../../core/channels/channel-index.ts'
import { createCoreServices, fixedOptions } from './core-services.ts'
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

export type TaskBooks = Awaited<ReturnType<typeof openTaskBooks>>

export async function openTaskBooks(kind: DatabaseKind) {
  const core = await createCoreServices(kind)
  const { database, ledger } = core
  const told: { url: string; body: JsonObject }[] = []
  const index = new ChannelIndex([])
  const deps: TaskDeps = {
    ...core,
    store: new TaskStore(database),
    index: () => index,
    options: fixedOptions({ DisplayInCurrencyEnabled: false, ServerAddress: '' }),
    http: {} as TaskDeps['http'],
    log: quietLog,
    hooks: { tell: (url, body) => void told.push({ url, body }) },
  }
  let owner = { userId: 0, tokenId: 0, channelId: 0 }
  let calls = 0

  async function insert(sql: string): Promise<number> {
    const [row] = await database.select<{ id: number }>(`${sql} RETURNING id`)
    return row?.id ?? 0
  }

  async function empty(): Promise<void> {
    await ledger.flush()
    await ledger.returnIdleLeases(0)
    for (const table of ['tasks', 'users', 'tokens', 'channels', 'ledger_entries', 'logs'])
      await database.run(`DELETE FROM ${table}`)
    told.length = 0
    calls += 1
    const userId = await insert(`INSERT INTO users (username) VALUES ('ada ${calls}')`)
    const tokenId = await insert(
      `INSERT INTO tokens (user_id, "key", key_hash, created_time, accessed_time, remain_quota)
      VALUES (${userId}, '', 'hash ${calls}', 0, 0, ${startRemain})`,
    )
    const channelId = await insert(
      `INSERT INTO channels (type, "key", name, created_time) VALUES (1, '', 'one', 0)`,
    )
    owner = { userId, tokenId, channelId }
    await database.transaction((transaction) =>
      ledger.change({
        userId,
        units: startBalance,
        kind: 'topup',
        ref: `start ${calls}`,
        transaction,
      }),
    )
  }

  /** A submit that the upstream took: row, reservation, settlement. */
  async function accept(
    platform: TaskPlatform,
    submit: TaskSubmit,
    { taskId, units, extraSql }: { taskId: string; units: number; extraSql?: string },
  ): Promise<void> {
    calls += 1
    const requestId = `request ${calls}`
    const id = await deps.store.begin({ platform, submit, ...owner, requestId, hookHash: '' })
    const reservation = await ledger.reserve({ requestId, ...owner, isTokenLimited: true, units })
    const sql = acceptedSql({
      id,
      requestId,
      submit,
      channelId: owner.channelId,
      taskId,
      units,
      code: 1,
      report: { state: 'open' },
    })
    const alongside = extraSql === undefined ? sql : `${sql};\n${extraSql}`
    await ledger.settle(reservation, { units, channelId: owner.channelId, alongside })
  }

  async function rows(): Promise<TaskRow[]> {
    const stored = await database.select<StoredTask<TaskRow>>('SELECT * FROM tasks ORDER BY id')
    return stored.map((row) => fromStored<TaskRow>(row))
  }

  return {
    ...core,
    deps,
    told,
    empty,
    accept,
    rows,
    newest: async (platform: TaskPlatform): Promise<TaskRow> => {
      const [row] = (await rows()).filter((task) => task.platform === platform.id).slice(-1)
      if (row === undefined) throw new Error('there is no task')
      return row
    },
    begin: (platform: TaskPlatform, submit: TaskSubmit) =>
      deps.store.begin({
        platform,
        submit,
        ...owner,
        requestId: `request ${(calls += 1)}`,
        hookHash: '',
      }),
    removeOwner: async () => {
      await database.run('DELETE FROM ledger_entries')
      await database.run('DELETE FROM users')
    },
    figures: async (): Promise<Figures> => {
      await ledger.flush()
      const one = async (sql: string) => (await database.select<JsonObject>(sql))[0] ?? {}
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
        refunds: await database.select(
          `SELECT ref, amount FROM ledger_entries WHERE kind = 'refund'`,
        ),
        refundRows: await database.select('SELECT type, quota, content FROM logs WHERE type = 4'),
      }
    },
  }
}
