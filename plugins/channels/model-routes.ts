import { commonSettings, envelope, type PluginServices, type RouteApp } from '#core'
import { channelTypes, modelCards, modelsByType } from './channel-types.ts'
import { modelNamesBody } from './schema.ts'

const config = { access: 'admin' } as const

/** The models and operations of active adapters, read from their manifests. */
export function modelRoutes(app: RouteApp, { channels, pricing }: PluginServices): void {
  app.get('/api/channel/types', { config }, async () => envelope(channelTypes(channels.adapters())))
  app.get('/api/channel/settings', { config }, async () => envelope(commonSettings))
  app.get('/api/channel/models', { config }, async () => {
    const adapters = channels.adapters()
    return envelope(modelsByType(adapters), { models: modelCards(adapters) })
  })
  app.get('/api/models', { config: { access: 'user' } }, async () =>
    envelope(modelsByType(channels.adapters())),
  )
  app.get('/api/channel/models_enabled', { config }, async () =>
    envelope(await channels.enabledModels()),
  )
  // The request lists names, because channels and upstreams have models that no manifest knows.
  app.post(
    '/api/channel/models_unpriced',
    { config: { ...config, demo: 'open' }, schema: { body: modelNamesBody } },
    ({ body }) => envelope([...new Set(body.models)].filter((model) => !pricing.isPriced(model))),
  )
}
