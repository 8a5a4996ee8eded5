import { definePlugin } from '#core'
import { MaskingCounts } from './counts.ts'
import { maskCalls } from './mask-calls.ts'
import { migrations } from './migrations.ts'
import { maskingOptions } from './options.ts'
import { maskingRoutes } from './routes.ts'
import { createRules } from './rules.ts'

const WRITE_EVERY_MS = 10_000
const SWEEP_EVERY_MS = 3_600_000

export default definePlugin({
  id: 'pii-masking',
  summary: {
    en: 'Hides personal data from upstreams and puts it back in answers',
    zh: '对上游屏蔽个人信息，并在回答中还原',
  },
  options: maskingOptions,
  migrations,
  server({ relayHooks, options, routes, database, log, jobs }) {
    const rules = createRules(options)
    const counts = new MaskingCounts({ database, log })
    maskCalls(relayHooks, rules, counts)
    routes.add((app) => maskingRoutes(app, rules, counts))
    jobs.add({ id: 'pii-masking-counts', everyMs: WRITE_EVERY_MS, run: () => counts.flush() })
    jobs.add({
      id: 'pii-masking-sweep',
      everyMs: SWEEP_EVERY_MS,
      isLeaderOnly: true,
      run: () => counts.sweep(),
    })
    return () => counts.flush()
  },
})
