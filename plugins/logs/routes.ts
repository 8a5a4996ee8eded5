import { callerOf, envelope, readPage, type PluginServices, type RouteApp } from '#core'
import { adminView } from './admin-view.ts'
import { adminFilters, ownFilters } from './filters.ts'
import { ownerView } from './owner-view.ts'
import { logQuery, searchQuery } from './schema.ts'

type Services = Pick<PluginServices, 'usageLog'>

export function adminLogRoutes(app: RouteApp, { usageLog }: Services): void {
  const config = { access: 'admin' } as const
  app.get('/api/log/', { config, schema: { querystring: logQuery } }, async (request) => {
    const page = readPage(request.query)
    const found = await usageLog.list(adminFilters(request.query), page)
    return envelope(onPage({ ...found, items: await adminView(usageLog, found.items) }, page))
  })
  app.get('/api/log/stat', { config, schema: { querystring: logQuery } }, async (request) =>
    envelope(await usageLog.stat(adminFilters(request.query))),
  )
  app.get('/api/log/search', { config, schema: { querystring: searchQuery } }, async (request) => {
    const rows = await usageLog.search(request.query.keyword ?? '')
    return envelope(await adminView(usageLog, rows))
  })
}

export function ownLogRoutes(app: RouteApp, { usageLog }: Services): void {
  const config = { access: 'user' } as const
  app.get('/api/log/self', { config, schema: { querystring: logQuery } }, async (request) => {
    const page = readPage(request.query)
    const found = await usageLog.list(ownFilters(request.query, callerOf(request).id), page)
    const items = found.items.map((row) => ownerView(row, request.language))
    return envelope(onPage({ ...found, items }, page))
  })
  app.get('/api/log/self/stat', { config, schema: { querystring: logQuery } }, async (request) =>
    envelope(await usageLog.stat(ownFilters(request.query, callerOf(request).id))),
  )
  app.get(
    '/api/log/self/search',
    { config, schema: { querystring: searchQuery } },
    async (request) => {
      const rows = await usageLog.search(request.query.keyword ?? '', callerOf(request).id)
      return envelope(rows.map((row) => ownerView(row, request.language)))
    },
  )
}

function onPage<T extends object>(
  found: T,
  { page, pageSize }: { page: number; pageSize: number },
) {
  return { ...found, page, page_size: pageSize }
}
