import { envelope, type ChannelService, type PricingService, type RouteApp } from '#core'

interface Services {
  channels: Pick<ChannelService, 'groupsOfModels'>
  pricing: Pick<PricingService, 'usableGroups' | 'groupNames' | 'rows'>
}

export function pricingRoutes(app: RouteApp, { channels, pricing }: Services): void {
  app.get('/api/pricing', { config: { access: 'try-user' } }, async (request) => {
    const usable = pricing.usableGroups(request.caller?.group)
    const names = new Set(usable.map(({ name }) => name))
    // Which groups exist beside one's own is nobody's business; the model is listed all the same.
    const groupsOfModels = new Map(
      [...(await channels.groupsOfModels())].map(([model, groups]) => [
        model,
        groups.filter((group) => names.has(group)),
      ]),
    )
    return envelope(pricing.rows(groupsOfModels), {
      group_ratio: Object.fromEntries(usable.map(({ name, ratio }) => [name, ratio])),
      usable_group: Object.fromEntries(usable.map(({ name, desc }) => [name, desc])),
    })
  })
  app.get('/api/group/', { config: { access: 'admin' } }, () => envelope(pricing.groupNames()))
}
