import { definePlugin } from '#core'
import { tokenRoutes } from './routes.ts'
import { usageRoute } from './usage-route.ts'

export default definePlugin({
  id: 'tokens',
  summary: { en: 'API tokens of users', zh: '用户的 API 令牌' },
  server(services) {
    services.errors.sendAs('token.too_many_tries', 429)
    services.errors.sendAs('token.key_unknown', 401)
    services.routes.add((app) => tokenRoutes(app, services))
    services.routes.add((app) => usageRoute(app, services))
  },
})
