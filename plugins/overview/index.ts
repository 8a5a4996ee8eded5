import { definePlugin } from '#core'
import { HourSums } from './hour-sums.ts'
import { adminRoutes } from './admin-routes.ts'
import { ownRoutes } from './own-routes.ts'

export default definePlugin({
  id: 'overview',
  summary: {
    en: 'Overview: figures of the day, and what to do next',
    zh: '概览：当日数据与待办事项',
  },
  server(services) {
    const sums = new HourSums(services)
    services.routes.add((app) => {
      adminRoutes(app, { ...services, sums })
      ownRoutes(app, { ...services, sums })
    })
  },
})
