import { commonSettings, envelope, type PluginServices, type RouteApp } from '#core'
import { channelTypes, modelCards, modelsByType } from './channel-types.ts'
import { modelNamesBody } from './schema.ts'

const config = { access: 'admin' } as const

/** The models and operations of active adapters, read from their manifests. */
export function modelRoutes(app: RouteApp, { channels, pricing }: PluginServices): void {
  const types = { summary: 'List the types of channels, each with what its form asks for' }
  app.get('/api/channel/types', { config, schema: types }, async () =>
    envelope(channelTypes(channels.adapters())),
  )
  const settings = { summary: 'Describe the settings that all types share, as JSON Schema' }
  app.get('/api/channel/settings', { config, schema: settings }, async () =>
    envelope(commonSettings),
  )
  const models = { summary: 'List the known models by channel type, and in `models` each once' }
  app.get('/api/channel/models', { config, schema: models }, async () => {
    const adapters = channels.adapters()
    return envelope(modelsByType(adapters), { models: modelCards(adapters) })
  })
  const known = { summary: 'List the known models by channel type, whether served or not' }
  app.get('/api/models', { config: { access: 'user' }, schema: known }, async () =>
    envelope(modelsByType(channels.adapters())),
  )
  const enabled = { summary: 'List the models that an enabled channel serves' }
  app.get('/api/channel/models_enabled', { config, schema: enabled }, async () =>
    envelope(await channels.enabledModels()),
  )
  // The request lists names, because channels and upstreams have models that no manifest knows.
  app.post(
    '/api/channel/models_unpriced',
    {
      config: { ...config, demo: 'open' },
      schema: { summary: 'Tell which of these models have no price', body: modelNamesBody },
    },
    ({ body }) => envelope([...new Set(body.models)].filter((model) => !pricing.isPriced(model))),
  )
}
