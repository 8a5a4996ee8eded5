import { definePlugin } from '#core'
import { AnswerStore } from './answer-store.ts'
import { cacheAnswers } from './cache-answers.ts'
import { Figures } from './figures.ts'
import { migrations } from './migrations.ts'
import { cacheOptions } from './options.ts'
import { CLEARED, cacheRoutes } from './routes.ts'
import { createRules } from './rules.ts'

const EVERY_MS = 10_000
const SWEEP_EVERY_MS = 3_600_000
/** Entries checked for expiry per run. */
const SWEPT = 20_000

/** One per process. It outlives generations, so that enabling or disabling another plugin does not empty it. */
const store = new AnswerStore()
let users = 0

export default definePlugin({
  id: 'response-cache',
  summary: {
    en: 'Answers the same question of the same user again without the provider',
    zh: '相同用户的相同请求直接返回缓存的回答',
  },
  options: cacheOptions,
  migrations,
  server(services) {
    const { cluster, database, jobs, log, logs, options, routes } = services
    const rules = createRules(options)
    const figures = new Figures({ database, log })
    users += 1
    cacheAnswers(services, store, { rules, figures })
    let isServing = false
    cluster.subscribe(
      CLEARED,
      () => store.clear(),
      // Called when the plugin begins to serve, and after each gap of the bus, in which a message to clear the cache may have been lost.
      () => {
        if (isServing) store.clear()
        isServing = true
      },
    )
    routes.add((app) => cacheRoutes(app, { store, figures, rules, cluster, logs }))
    jobs.add({
      id: 'response-cache-figures',
      everyMs: EVERY_MS,
      run: () => {
        const { lifetimeMs, mostBytes } = rules()
        store.sweep(lifetimeMs, SWEPT)
        store.trim(mostBytes)
        return figures.flush()
      },
    })
    jobs.add({
      id: 'response-cache-sweep',
      everyMs: SWEEP_EVERY_MS,
      isLeaderOnly: true,
      run: () => figures.sweep(),
    })
    return () => {
      users -= 1
      if (users === 0) store.clear()
      return figures.flush()
    }
  },
})
