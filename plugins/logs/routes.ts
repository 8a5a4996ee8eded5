import { callerOf, envelope, errorType, readPage, type PluginServices, type RouteApp } from '#core'
import { adminView } from './admin-view.ts'
import { adminFilters, ownFilters, positive } from './filters.ts'
import { ownerView } from './owner-view.ts'
import { deleteQuery, logQuery, searchQuery } from './schema.ts'

type Services = Pick<PluginServices, 'usageLog'>

const noTime = errorType('logs.no_target_time', 400, {
  en: 'target_timestamp must be a time in seconds, above 0.',
  zh: 'target_timestamp 必须是大于 0 的时间戳（秒）。',
})

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
  app.delete('/api/log/', { config, schema: { querystring: deleteQuery } }, async (request) => {
    const before = positive(request.query.target_timestamp)
    if (before === undefined) throw noTime()
    // What is to come stays: on a busy gateway there would be no end.
    const end = Math.min(before, Math.floor(Date.now() / 1000) + 1)
    return envelope(await usageLog.deleteBefore(end, positive(request.query.limit)))
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
