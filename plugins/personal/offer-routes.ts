import { callerOf, envelope, type PluginServices, type RouteApp } from '#core'

type Services = Pick<PluginServices, 'channels' | 'pricing'>

/** The groups and models that a user or a visitor may choose from. */
export function offerRoutes(app: RouteApp, { channels, pricing }: Services): void {
  const groupsOf = (group?: string) =>
    Object.fromEntries(
      pricing.usableGroups(group).map(({ name, ratio, desc }) => [name, { ratio, desc }]),
    )

  app.get('/api/user/groups', { config: { access: 'public' } }, () => envelope(groupsOf()))
  app.get('/api/user/self/groups', { config: { access: 'user' } }, (request) =>
    envelope(groupsOf(callerOf(request).group)),
  )
  app.get('/api/user/models', { config: { access: 'user' } }, async (request) => {
    const groups = pricing.usableGroups(callerOf(request).group).map(({ name }) => name)
    return envelope(await channels.modelsOfGroups(groups))
  })
}
