import { definePlugin } from '#core'
import { pricingRoutes } from './routes.ts'

export default definePlugin({
  id: 'pricing',
  summary: { en: 'Public price list', zh: '公开价格列表' },
  server(services) {
    services.routes.add((app) => pricingRoutes(app, services))
  },
})
