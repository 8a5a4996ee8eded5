import { definePlugin } from '#core'
import { tokenRoutes } from './routes.ts'

export default definePlugin({
  id: 'tokens',
  summary: { en: 'API tokens of users', zh: '用户的 API 令牌' },
  server(services) {
    services.routes.add((app) => tokenRoutes(app, services))
  },
})
