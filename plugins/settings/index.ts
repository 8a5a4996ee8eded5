import { definePlugin } from '#core'
import { releaseRoutes } from './routes.ts'

/** The settings page. What stands on it is declared by core and by the plugins that read it. */
export default definePlugin({
  id: 'settings',
  summary: { en: 'System settings', zh: '系统设置' },
  server(services) {
    services.routes.add((app) => releaseRoutes(app, services))
  },
})
