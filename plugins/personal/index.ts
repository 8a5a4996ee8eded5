import { definePlugin } from '#core'
import { accountRoutes } from './account-routes.ts'
import { offerRoutes } from './offer-routes.ts'
import { sessionRoutes } from './session-routes.ts'

export default definePlugin({
  id: 'personal',
  summary: { en: 'Own account and settings', zh: '个人账户与设置' },
  server(services) {
    services.routes.add((app) => {
      accountRoutes(app, services)
      offerRoutes(app, services)
      sessionRoutes(app, services)
    })
  },
})
