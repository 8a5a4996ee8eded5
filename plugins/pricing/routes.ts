import { envelope, type OptionService, type PricingService, type RouteApp } from '#core'
import { PriceList, type PriceListDeps } from './price-list.ts'

type Services = PriceListDeps & {
  pricing: Pick<PricingService, 'groupNames'>
  options: Pick<OptionService, 'get'>
}

export function pricingRoutes(app: RouteApp, services: Services): void {
  const list = new PriceList(services)
  const prices = { summary: 'List models with their prices and the groups that serve them' }
  app.get(
    '/api/pricing',
    { config: { access: 'try-user' }, schema: prices },
    async (request, reply) => {
      const { body, etag } = await list.of(request.caller?.group)
      // The browser caches the list and revalidates it each time: 304 if it has not changed.
      reply.header('cache-control', 'private, no-cache').header('etag', etag)
      if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(body)
    },
  )
  const tools = {
    summary: 'List the prices of tools, in dollars per 1000 calls times the group ratio',
  }
  app.get('/api/pricing/tools', { config: { access: 'try-user' }, schema: tools }, () =>
    envelope(services.options.get<Record<string, number>>('tool_price_setting.prices')),
  )
  const groups = { summary: 'List the names of all groups' }
  app.get('/api/group/', { config: { access: 'admin' }, schema: groups }, () =>
    envelope(services.pricing.groupNames()),
  )
}

function namesTag(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((tag) => tag.trim() === etag) ?? false
}
