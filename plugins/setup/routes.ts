import { envelope, type RouteApp } from '#core'
import { setupDone, type FirstRun } from './first-run.ts'
import { setupBody } from './schema.ts'

const doneText = { en: 'The system has been initialized.', zh: '系统初始化成功。' }

export function setupRoutes(app: RouteApp, firstRun: FirstRun): void {
  const state = { summary: 'Show whether the gateway has been set up' }
  app.get('/api/setup', { config: { access: 'public' }, schema: state }, async () =>
    envelope(await firstRun.state()),
  )
  app.post(
    '/api/setup',
    {
      config: { access: 'public', rate: 'critical', demo: 'open' },
      schema: { summary: 'Set the gateway up, once: creates the super admin', body: setupBody },
      // A finished setup is reported before any fault of the body.
      preValidation: async () => {
        if (firstRun.isDone) throw setupDone()
      },
    },
    async (request) => {
      await firstRun.finish(request.body)
      return envelope(undefined, { message: doneText[request.language] })
    },
  )
}
