import { definePlugin } from '#core'
import { createFirstRun } from './first-run.ts'
import { setupRoutes } from './routes.ts'

export default definePlugin({
  id: 'setup',
  summary: { en: 'First-run wizard', zh: '首次运行向导' },
  async server(services) {
    const firstRun = await createFirstRun(services)
    services.statusFields.add({ id: 'setup', value: () => firstRun.isDone })
    services.routes.add((app) => setupRoutes(app, firstRun))
  },
})
