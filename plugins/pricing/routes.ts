import { envelope, type PricingService, type RouteApp } from '#core'
import { PriceList, type PriceListDeps } from './price-list.ts'

type Services = PriceListDeps & { pricing: Pick<PricingService, 'groupNames'> }

export function pricingRoutes(app: RouteApp, services: Services): void {
  const list = new PriceList(services)
  app.get('/api/pricing', { config: { access: 'try-user' } }, async (request, reply) => {
    const { body, etag } = await list.of(request.caller?.group)
    // The browser caches the list and revalidates it each time: 304 if it has not changed.
    reply.header('cache-control', 'private, no-cache').header('etag', etag)
    if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  })
  app.get('/api/group/', { config: { access: 'admin' } }, () =>
    envelope(services.pricing.groupNames()),
  )
}

function namesTag(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((tag) => tag.trim() === etag) ?? false
}
