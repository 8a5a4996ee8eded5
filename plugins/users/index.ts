import { definePlugin } from '#core'
import { userRoutes } from './routes.ts'

export default definePlugin({
  id: 'users',
  summary: { en: 'User management', zh: '用户管理' },
  server(services) {
    services.routes.add((app) => userRoutes(app, services))
  },
})
