import { callerOf, envelope, type PluginServices, type RouteApp } from '#core'
import { channelInPath, fetchModelsBody, runBody, testQuery } from './schema.ts'

const config = { access: 'admin' } as const
/** These calls may cost money upstream, and their results are stored. */
const asking = { access: 'admin', demo: 'closed' } as const
const askingInPath = (summary: string) => ({
  config: asking,
  schema: { summary, params: channelInPath },
})

/** Calls that ask the upstream of a channel. */
export function upstreamRoutes(app: RouteApp, services: PluginServices): void {
  testRoutes(app, services)
  balanceRoutes(app, services)
  runRoutes(app, services)
  fetchRoutes(app, services)
}

/** `time`, in seconds, is beside `data` in the answer, even if the test failed. */
function testRoutes(app: RouteApp, { channels }: PluginServices): void {
  app.get(
    '/api/channel/test/:id',
    {
      config: asking,
      schema: {
        summary: 'Test a channel with one call that no user pays; `time` in seconds',
        params: channelInPath,
        querystring: testQuery,
      },
    },
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
  const all = { summary: 'Test all channels in the background, disabled ones too' }
  app.get('/api/channel/test', { config: asking, schema: all }, async (request) => {
    await channels.testAll(callerOf(request))
    return envelope()
  })
}

/** `balance`, in US dollars, is beside `data` in the answer. */
function balanceRoutes(app: RouteApp, { channels }: PluginServices): void {
  const one = askingInPath("Ask the provider for a channel's balance, in US dollars")
  app.get('/api/channel/update_balance/:id', one, async (request) =>
    envelope(undefined, { balance: await channels.updateBalance(request.params.id) }),
  )
  const all = { summary: 'Ask for the balances of all channels in the background' }
  app.get('/api/channel/update_balance', { config: asking, schema: all }, async (request) => {
    await channels.updateAllBalances(callerOf(request))
    return envelope()
  })
}

/** Tests and balances of all channels go on in the background, on one of the nodes. */
function runRoutes(app: RouteApp, { channels }: PluginServices): void {
  const shown = { summary: 'Show how far the last test and balances of all channels are' }
  app.get('/api/channel/runs', { config, schema: shown }, async () =>
    envelope(await channels.runs()),
  )
  const stopped = {
    summary: 'Stop the test or the balances of all channels; answers as GET does',
    body: runBody,
  }
  app.post('/api/channel/runs/stop', { config, schema: stopped }, async (request) => {
    await channels.stopRun(request.body.kind, callerOf(request))
    return envelope(await channels.runs())
  })
}

function fetchRoutes(app: RouteApp, { channels }: PluginServices): void {
  const saved = askingInPath('Ask the provider which models it offers a channel')
  app.get('/api/channel/fetch_models/:id', saved, async (request) =>
    envelope(await channels.fetchModels({ id: request.params.id })),
  )
  app.post(
    '/api/channel/fetch_models',
    {
      config,
      schema: {
        summary: 'Ask a provider which models it offers, with a key that is not saved',
        body: fetchModelsBody,
      },
    },
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
