import { definePlugin } from '#core'
import { exportRoutes } from './export-routes.ts'
import { adminLogRoutes, ownLogRoutes } from './routes.ts'
import { tokenLogRoutes } from './token-routes.ts'

export default definePlugin({
  id: 'logs',
  summary: { en: 'Usage log', zh: '使用日志' },
  server(services) {
    services.errors.sendAs('logs.too_many_tries', 429)
    services.errors.sendAs('logs.too_many_exports', 429)
    services.routes.add((app) => {
      adminLogRoutes(app, services)
      ownLogRoutes(app, services)
      exportRoutes(app, services)
    })
    // A context of its own, because its answers carry a header that the others must not.
    services.routes.add((app) => tokenLogRoutes(app, services))
  },
})
