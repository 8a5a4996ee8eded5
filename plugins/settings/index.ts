import { definePlugin } from '#core'
import { releaseRoutes } from './routes.ts'

/** The settings page. Its contents are declared by core and by the plugins that read the options. */
export default definePlugin({
  id: 'settings',
  summary: { en: 'System settings', zh: '系统设置' },
  server(services) {
    services.routes.add((app) => releaseRoutes(app, services))
  },
})
