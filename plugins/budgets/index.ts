import { defineOptions, definePlugin, Type } from '#core'
import { isTimeZone } from './calendar.ts'
import { limitCalls } from './limit-calls.ts'
import { migrations } from './migrations.ts'
import { budgetRoutes } from './routes.ts'
import { BUDGETS_CHANGED, Spending } from './spending.ts'
import { sweepSpent } from './spent-sql.ts'
import { warnOfBudget } from './warn-of-budgets.ts'

/** How old a node's knowledge of other nodes' spending may be, besides the time that they take to write it. */
const READ_EVERY_MS = 2_000
const SWEEP_EVERY_MS = 6 * 3_600_000
const KEPT_MS = 100 * 86_400_000
const SWEEP_SLICE = 2_000

export default definePlugin({
  id: 'budgets',
  summary: {
    en: 'Limits what users, tokens, groups or models may cost in a day, week or month',
    zh: '按日、周、月限制用户、令牌、分组或模型的花费',
  },
  options: defineOptions(
    {
      BudgetTimeZone: Type.String({
        default: 'UTC',
        minLength: 1,
        maxLength: 64,
        'x-ui': { tab: 'operation', section: 'budgets', presets: ['UTC', 'Asia/Shanghai'] },
      }),
    },
    {
      check: (key, value) =>
        key !== 'BudgetTimeZone' || isTimeZone(String(value))
          ? undefined
          : {
              en: 'There is no such time zone. Write it as in Europe/Berlin.',
              zh: '没有这个时区，请按 Asia/Shanghai 的形式填写。',
            },
    },
  ),
  migrations,
  async server(services) {
    const { cluster, database, jobs, log, options, routes } = services
    const spending = new Spending({
      database,
      log,
      timeZone: () => options.get<string>('BudgetTimeZone'),
      onWritten: (sums, sum) => warnOfBudget(services, sums, sum),
    })
    const reload = () => spending.reload()
    // Read before the first call is admitted. If that fails, it is read when the plugin begins to serve.
    await reload().catch(() => undefined)
    cluster.subscribe(
      BUDGETS_CHANGED,
      ({ forgotten }) => spending.reload(typeof forgotten === 'number' ? forgotten : undefined),
      reload,
    )
    options.onChange((key) => {
      if (key === 'BudgetTimeZone') void reload().catch(() => undefined)
    })
    limitCalls(services, spending)
    routes.add((app) => budgetRoutes(app, services, spending))
    jobs.add({ id: 'budgets-read', everyMs: READ_EVERY_MS, run: () => spending.refresh() })
    jobs.add({
      id: 'budgets-sweep',
      everyMs: SWEEP_EVERY_MS,
      isLeaderOnly: true,
      run: async (signal) => {
        while (!signal.aborted) {
          const swept = await sweepSpent(database, Date.now() - KEPT_MS, SWEEP_SLICE)
          if (swept < SWEEP_SLICE) return
        }
      },
    })
    return () => spending.write()
  },
})
