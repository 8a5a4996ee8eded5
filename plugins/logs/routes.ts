import { callerOf, envelope, readPage, type PluginServices, type RouteApp } from '#core'
import { adminView } from './admin-view.ts'
import { adminFilters, ownFilters } from './filters.ts'
import { ownerView } from './owner-view.ts'
import { logQuery, ownLogQuery, ownStatQuery, searchQuery, statQuery } from './schema.ts'

type Services = Pick<PluginServices, 'usageLog'>

const SUMMED = 'Sum the quota spent, with calls and tokens of the last minute'

export function adminLogRoutes(app: RouteApp, { usageLog }: Services): void {
  const config = { access: 'admin' } as const
  const listed = {
    summary: 'List log rows of all users, newest first, by page',
    querystring: logQuery,
  }
  app.get('/api/log/', { config, schema: listed }, async (request) => {
    const page = readPage(request.query)
    const found = await usageLog.list(adminFilters(request.query), page)
    return envelope(onPage({ ...found, items: await adminView(usageLog, found.items) }, page))
  })
  const summed = { summary: SUMMED, querystring: statQuery }
  app.get('/api/log/stat', { config, schema: summed }, async (request) =>
    envelope(await usageLog.stat(adminFilters(request.query))),
  )
  const found = {
    summary: 'Find the newest 100 log rows by type or text',
    querystring: searchQuery,
  }
  app.get('/api/log/search', { config, schema: found }, async (request) => {
    const rows = await usageLog.search(request.query.keyword ?? '')
    return envelope(await adminView(usageLog, rows))
  })
}

export function ownLogRoutes(app: RouteApp, { usageLog }: Services): void {
  const config = { access: 'user' } as const
  const listed = {
    summary: "List one's own log rows, newest first, by page",
    querystring: ownLogQuery,
  }
  app.get('/api/log/self', { config, schema: listed }, async (request) => {
    const page = readPage(request.query)
    const found = await usageLog.list(ownFilters(request.query, callerOf(request).id), page)
    const items = found.items.map((row) => ownerView(row, request.language))
    return envelope(onPage({ ...found, items }, page))
  })
  const summed = {
    summary: "Sum one's own quota spent, with calls and tokens of the last minute",
    querystring: ownStatQuery,
  }
  app.get('/api/log/self/stat', { config, schema: summed }, async (request) =>
    envelope(await usageLog.stat(ownFilters(request.query, callerOf(request).id))),
  )
  app.get(
    '/api/log/self/search',
    {
      config,
      schema: { summary: "Find one's own newest 100 log rows of a type", querystring: searchQuery },
    },
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
