import { definePlugin } from '#core'
import { countHours, countNewRows, countTo } from './count-hours.ts'
import { migrations } from './migrations.ts'
import { dashboardOptions } from './options.ts'
import { dashboardRoutes } from './routes.ts'

const ONE_MINUTE_MS = 60_000
/** Counts what a previous process left uncounted, soon after the plugin has begun to serve. */
const FIRST_RUN_MS = 2_000

export default definePlugin({
  id: 'dashboard',
  summary: { en: 'Consumption over time, by model and user', zh: '数据看板：按模型与用户统计消耗' },
  options: dashboardOptions,
  migrations,
  server(services) {
    const { database, jobs, log, options, routes, statusFields } = services
    statusFields.add({ id: 'enable_data_export', value: () => options.get('DataExportEnabled') })
    statusFields.add({
      id: 'data_export_default_time',
      value: () => options.get('DataExportDefaultTime'),
    })
    routes.add((app) => dashboardRoutes(app, services))
    let isCounted = options.get<boolean>('DataExportEnabled')
    // What came before the switch was turned belongs to how it stood then; the next count may be an hour away.
    options.onChange((key) => {
      if (key !== 'DataExportEnabled') return
      const before = isCounted
      isCounted = options.get('DataExportEnabled')
      if (isCounted === before) return
      countNewRows(database, { isCounted: before, ...(before ? {} : { settleMs: 0 }) }).catch(
        (error: unknown) => {
          log.warn({ err: error }, 'the rows before the switch could not be counted')
        },
      )
    })
    let lastRunMs = -Infinity
    let isFirst = true
    jobs.add({
      id: 'count-hours',
      isLeaderOnly: true,
      // The job runs each minute and reads the interval then, so that a shorter interval takes effect at once.
      everyMs: () => {
        const everyMs = isFirst ? FIRST_RUN_MS : ONE_MINUTE_MS
        isFirst = false
        return everyMs
      },
      run: async (signal) => {
        const interval = options.get<number>('DataExportInterval') - 0.5
        if (performance.now() - lastRunMs < interval * ONE_MINUTE_MS) return
        lastRunMs = performance.now()
        await countHours(database, { isCounted: options.get('DataExportEnabled'), signal })
      },
      readLog: (id) => countTo(database, id, { isCounted: options.get('DataExportEnabled') }),
    })
  },
})
