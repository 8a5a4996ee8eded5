import { definePlugin } from '#core'
import { LogClearing } from './clearing.ts'
import { clearingRoutes } from './clearing-routes.ts'
import { exportRoutes } from './export-routes.ts'
import { migrations } from './migrations.ts'
import { adminLogRoutes, ownLogRoutes } from './routes.ts'
import { tokenLogRoutes } from './token-routes.ts'

const ONE_MINUTE_MS = 60_000

export default definePlugin({
  id: 'logs',
  summary: { en: 'Usage log', zh: '使用日志' },
  migrations,
  server(services) {
    const clearing = new LogClearing(services)
    services.errors.sendAs('logs.too_many_tries', 429)
    services.errors.sendAs('logs.too_many_exports', 429)
    services.routes.add((app) => {
      adminLogRoutes(app, services)
      ownLogRoutes(app, services)
      exportRoutes(app, services)
      clearingRoutes(app, clearing, services)
    })
    // A Fastify context of its own, because its answers carry a header that others must not have.
    services.routes.add((app) => tokenLogRoutes(app, services))
    services.jobs.add({
      id: 'clearing',
      everyMs: ONE_MINUTE_MS,
      run: () => clearing.resume(),
    })
    return () => clearing.stop()
  },
})
