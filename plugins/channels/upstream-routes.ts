import { callerOf, envelope, type PluginServices, type RouteApp } from '#core'
import { channelInPath, fetchModelsBody, testQuery } from './schema.ts'

const config = { access: 'admin' } as const
/** These calls may cost money upstream, and their results are stored. */
const asking = { access: 'admin', demo: 'closed' } as const
const askingInPath = { config: asking, schema: { params: channelInPath } }

/** Calls that ask the upstream of a channel. */
export function upstreamRoutes(app: RouteApp, services: PluginServices): void {
  testRoutes(app, services)
  balanceRoutes(app, services)
  fetchRoutes(app, services)
}

/** `time`, in seconds, is beside `data` in the answer, even if the test failed. */
function testRoutes(app: RouteApp, { channels }: PluginServices): void {
  app.get(
    '/api/channel/test/:id',
    { config: asking, schema: { params: channelInPath, querystring: testQuery } },
    async (request) => {
      const { seconds, error } = await channels.test(
        request.params.id,
        request.query.model,
        callerOf(request),
        request.language,
      )
      if (error !== undefined) return { success: false, message: error.message, time: seconds }
      return envelope(undefined, { time: seconds })
    },
  )
  app.get('/api/channel/test', { config: asking }, async (request) => {
    await channels.testAll(callerOf(request))
    return envelope()
  })
}

/** `balance`, in US dollars, is beside `data` in the answer. */
function balanceRoutes(app: RouteApp, { channels }: PluginServices): void {
  app.get('/api/channel/update_balance/:id', askingInPath, async (request) =>
    envelope(undefined, { balance: await channels.updateBalance(request.params.id) }),
  )
  app.get('/api/channel/update_balance', { config: asking }, async () => {
    await channels.updateAllBalances()
    return envelope()
  })
}

function fetchRoutes(app: RouteApp, { channels }: PluginServices): void {
  app.get('/api/channel/fetch_models/:id', askingInPath, async (request) =>
    envelope(await channels.fetchModels({ id: request.params.id })),
  )
  app.post(
    '/api/channel/fetch_models',
    { config, schema: { body: fetchModelsBody } },
    async (request) => {
      const { type, base_url, key, setting } = request.body
      return envelope(
        await channels.fetchModels({
          type,
          base_url: base_url ?? '',
          key: key ?? '',
          setting: setting ?? '',
        }),
      )
    },
  )
}
