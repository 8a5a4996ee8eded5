// The sums that several nodes hold, on each database.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AskingHook } from '#core'
import { migratePlugin } from '../../core/data/migrate.ts'
import { type CoreServices, createCoreServices } from '../../test/harness/core-services.ts'
import { databaseKinds, quietLog } from '../../test/harness/databases.ts'
import { editBudget } from './budgets.ts'
import { insertBudget } from './budgets-sql.ts'
import budgets from './index.ts'
import type { BudgetBody } from './schema.ts'
import { Spending } from './spending.ts'
import { sweepSpent } from './spent-sql.ts'
import { warnOfBudget } from './warn-of-budgets.ts'

const body: BudgetBody = {
  name: 'b',
  period: 'day',
  limit: 100,
  count: 'all',
  user_id: 0,
  token_id: 0,
  group: '',
  model: '',
  enabled: true,
}
const call = { userId: 1, tokenId: 11, group: 'default', model: 'gpt-4o', units: 40 }

describe.each(databaseKinds)('spending on $name', (kind) => {
  let core: CoreServices
  let nowMs: number
  let notices: [who: number | 'admins', kind: string][]
  let timeZone: string

  beforeEach(async () => {
    core = await createCoreServices(kind)
    await migratePlugin(core.database, budgets, quietLog)
    nowMs = Date.parse('2026-05-01T12:00:00Z')
    notices = []
    timeZone = 'UTC'
  })
  afterEach(() => core.close())

  const node = async () => {
    const services = {
      database: core.database,
      log: quietLog,
      options: { get: () => 500_000 },
      notifications: {
        notify: async (userId: number, notice: { kind: string }) =>
          void notices.push([userId, notice.kind]),
        notifyAdmins: async (notice: { kind: string }) =>
          void notices.push(['admins', notice.kind]),
      },
    }
    const spending = new Spending({
      database: core.database,
      log: quietLog,
      timeZone: () => timeZone,
      now: () => nowMs,
      onWritten: (sums, sum) => warnOfBudget(services as never, sums, sum),
    })
    await spending.reload()
    return spending
  }
  const make = (more: Partial<BudgetBody>) =>
    insertBudget(core.database, { ...body, ...more }, { now: 0, most: 10 })
  const isOpen = (spending: Spending, more: Partial<typeof call> = {}) =>
    spending.exhausted({ ...call, ...more }) === undefined

  it('follows the time zone of the option, where it could not be read in when that changed', async () => {
    await make({})
    const spending = await node()
    timeZone = 'Asia/Shanghai'
    await spending.refresh()
    expect(spending.calendar.timeZone).toBe('Asia/Shanghai')
  })

  it('is the sum of all nodes, after each has written and read', async () => {
    await make({})
    const [one, other] = [await node(), await node()]
    for (let count = 0; count < 2; count += 1)
      for (const spending of [one, other]) spending.add(call)
    // Each knows of its own at once.
    expect([isOpen(one), isOpen(other)]).toEqual([true, true])
    await Promise.all([one.write(), other.write()])
    await one.refresh()
    await other.refresh()
    expect([isOpen(one), isOpen(other)]).toEqual([false, false])
    expect(one.exhausted(call)?.used(0, nowMs)).toBe(160)
    // One that starts now knows it, too.
    expect(isOpen(await node())).toBe(false)
  })

  it('is written at once by two nodes that count the same users, whoever called first', async () => {
    await make({ count: 'user' })
    const nodes = [await node(), await node()]
    const users = Array.from({ length: 50 }, (_, place) => place + 1)
    for (const [at, spending] of nodes.entries())
      for (const userId of at === 0 ? users : users.toReversed()) spending.add({ ...call, userId })
    await Promise.all(nodes.map((spending) => spending.write()))
    const sql = 'SELECT COUNT(*) AS users FROM budgets__spent WHERE units = :units'
    expect(await core.database.select(sql, { units: 2 * call.units })).toEqual([{ users: 50 }])
  })

  it('is overdrawn by what was under way when the budget was reached, and by no more', async () => {
    await make({})
    const spending = await node()
    const underWay = [1, 2, 3, 4, 5].filter(() => isOpen(spending))
    for (const _call of underWay) spending.add(call)
    expect(isOpen(spending)).toBe(false)
    await spending.write()
    expect(spending.exhausted(call)?.used(0, nowMs)).toBe(200)
  })

  it('begins anew with the period, and writes what is late to the one before', async () => {
    await make({})
    const spending = await node()
    spending.add({ ...call, units: 100 })
    nowMs += 86_400_000
    expect(isOpen(spending)).toBe(true)
    spending.add(call)
    await spending.write()
    const rows = await core.database.select<{ units: number }>(
      'SELECT units FROM budgets__spent ORDER BY begins_at',
    )
    expect(rows.map(({ units }) => units)).toEqual([100, 40])
    expect(await sweepSpent(core.database, nowMs, 1)).toBe(1)
  })

  it.each<[string, Partial<BudgetBody>, Partial<typeof call>, boolean]>([
    ['of a user limits him', { user_id: 1 }, {}, false],
    ['of a user limits nobody else', { user_id: 1 }, { userId: 2 }, true],
    ['of a token limits that one', { token_id: 11 }, { tokenId: 12 }, true],
    ['of a group limits it', { group: 'vip' }, {}, true],
    ['of a model limits it', { model: 'gpt-4o' }, { model: 'gpt-4o-mini' }, true],
    ['of models by a star limits them', { model: 'gpt-*' }, { model: 'gpt-5' }, false],
    ['for each user counts each', { count: 'user' }, { userId: 2 }, true],
    ['for each user counts all of his tokens', { count: 'user' }, { tokenId: 12 }, false],
    ['for each token counts each', { count: 'token' }, { tokenId: 12 }, true],
    ['that is off limits nobody', { enabled: false }, {}, true],
    [
      'of several things limits where all hold',
      { user_id: 1, model: 'gpt-*', group: 'default' },
      {},
      false,
    ],
  ])('of a budget %s', async (_what, more, other, open) => {
    await make(more)
    const spending = await node()
    spending.add({ ...call, units: 100 })
    expect(isOpen(spending, other)).toBe(open)
  })

  it('keeps what is not written when budgets change or the database is away', async () => {
    const id = await make({})
    const spending = await node()
    spending.add({ ...call, units: 100 })
    await make({ name: 'second', limit: 1000 })
    await spending.reload()
    expect(isOpen(spending)).toBe(false)
    const { transaction } = core.database
    core.database.transaction = () => Promise.reject(new Error('away'))
    await spending.write()
    core.database.transaction = transaction.bind(core.database)
    expect(isOpen(spending)).toBe(false)
    await spending.write()
    expect(isOpen(await node())).toBe(false)
    // A changed budget counts from zero.
    await core.database.run('DELETE FROM budgets__spent WHERE budget_id = :id', { id })
    await spending.reload(id)
    expect(isOpen(spending)).toBe(true)
  })

  it('goes on counting while budgets are read anew', async () => {
    await make({})
    const spending = await node()
    spending.add({ ...call, units: 100 })
    await spending.write()
    const seen: boolean[] = []
    const { select } = core.database
    core.database.select = async (...values: Parameters<typeof select>) => {
      seen.push(isOpen(spending))
      return select.apply(core.database, values) as never
    }
    await spending.reload()
    core.database.select = () => Promise.reject(new Error('away'))
    await expect(spending.reload()).rejects.toThrow('away')
    core.database.select = select
    expect([...seen, isOpen(spending)]).toEqual([false, false, false])
  })

  it('limits the first call of a plugin that was switched on', async () => {
    nowMs = Date.now()
    await make({ period: 'month' })
    const before = await node()
    before.add({ ...call, units: 100 })
    await before.write()
    const hooks: AskingHook[] = []
    const nothing = () => () => undefined
    const services = {
      database: core.database,
      log: quietLog,
      options: { get: () => 'UTC', onChange: nothing },
      cluster: { subscribe: nothing },
      events: { on: nothing },
      jobs: { add: nothing },
      routes: { add: nothing },
      relayHooks: { add: (hook: AskingHook) => hooks.push(hook) },
    }
    const end = await budgets.server?.(services as never)
    expect(() => hooks[0]?.run(call as never, {})).toThrow(/is used up/)
    await end?.()
  })

  it('is written by itself when the database is back, with no further call', async () => {
    await make({})
    const spending = await node()
    spending.add({ ...call, units: 100 })
    const { transaction } = core.database
    core.database.transaction = () => Promise.reject(new Error('away'))
    await spending.write()
    core.database.transaction = transaction.bind(core.database)
    await spending.refresh()
    await spending.refresh()
    expect(isOpen(await node())).toBe(false)
  })

  it('is heard of by nodes whose database has set its clock back', async () => {
    await make({})
    const [one, other] = [await node(), await node()]
    one.add(call)
    await one.write()
    await core.database.run('UPDATE budgets__spent SET changed_ms = changed_ms + 3600000')
    await other.refresh()
    one.add({ ...call, units: 60 })
    await one.write()
    await other.refresh()
    expect(isOpen(other)).toBe(false)
  })

  it('is that of the day before again where the clock of the gateway is set back over midnight', async () => {
    await make({})
    const spending = await node()
    spending.add({ ...call, units: 100 })
    await spending.write()
    nowMs += 86_400_000
    await core.database.run('UPDATE budgets__spent SET changed_ms = changed_ms - 60000')
    spending.add({ ...call, units: 10 })
    await spending.write()
    await spending.refresh()
    expect(isOpen(spending)).toBe(true)
    nowMs -= 86_400_000
    await spending.refresh()
    expect(isOpen(spending)).toBe(false)
    nowMs += 86_400_000
    await spending.refresh()
    expect([...spending.all()][0]?.used(0, nowMs)).toBe(10)
  })

  it('forgets sums of budgets that are gone', async () => {
    const id = await make({})
    const spending = await node()
    spending.add(call)
    await core.database.run('DELETE FROM budgets__budgets WHERE id = :id', { id })
    await spending.write()
    expect(await core.database.select('SELECT * FROM budgets__spent')).toEqual([])
  })

  it('tells at 80 and 100 percent whoever the budget belongs to, once, whichever node sees it', async () => {
    await make({ count: 'user' })
    await make({ name: 'shared' })
    const [one, other] = [await node(), await node()]
    for (const units of [79, 1, 10, 10, 50]) {
      one.add({ ...call, units })
      await one.write()
      await other.refresh()
    }
    other.add({ ...call, units: 1 })
    await other.write()
    expect(notices.filter(([who]) => who === 1)).toEqual([
      [1, 'budget_low'],
      [1, 'budget_exhausted'],
    ])
    expect(notices.filter(([who]) => who === 'admins')).toHaveLength(2)
  })

  it('tells anew what a higher limit has put off', async () => {
    const id = (await make({ count: 'user' })) ?? 0
    const spending = await node()
    const spend = async (units: number) => {
      spending.add({ ...call, units })
      await spending.write()
    }
    const limit = async (most: number) => {
      const services = { database: core.database, cluster: { publish: async () => undefined } }
      const edit = { id, body: { ...body, count: 'user' as const, limit: most } }
      await editBudget(services as never, spending, edit)
    }
    await spend(100)
    // Still above 80 percent: that was told.
    await limit(120)
    await spend(1)
    await limit(1_000)
    for (const units of [700, 200]) await spend(units)
    expect(notices.map(([, what]) => what)).toEqual([
      'budget_exhausted',
      'budget_low',
      'budget_exhausted',
    ])
  })

  it('has no more budgets than there may be', async () => {
    for (let count = 0; count < 10; count += 1) await make({})
    expect(await make({})).toBeUndefined()
  })
})
