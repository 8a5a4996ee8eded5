import {
  callerOf,
  envelope,
  newTokenBody,
  numberOf,
  tokenBody,
  type NewTokenBody,
  type PluginServices,
  readPage,
  type TokenInput,
  type TokenOrder,
  type RouteApp,
} from '#core'
import { editQuery, listQuery, searchQuery, tokenInPath, type ListQuery } from './schema.ts'

const config = { access: 'user' } as const
const inPath = (summary: string) => ({ config, schema: { summary, params: tokenInPath } })

/** A user's own tokens; the service accesses no others. */
export function tokenRoutes(app: RouteApp, services: PluginServices): void {
  readingRoutes(app, services)
  writingRoutes(app, services)
}

function readingRoutes(app: RouteApp, { tokens }: PluginServices): void {
  // Answers with keys are not compressed, because the compressed length could reveal them.
  app.get(
    '/api/token/',
    {
      config,
      compress: false,
      schema: {
        summary: "List one's own tokens with their keys, by page; total in X-Total-Count",
        querystring: listQuery,
      },
    },
    async (request, reply) => {
      const { query } = request
      const { page, pageSize: limit } = readPage(query, { firstPage: 0, sizeKey: 'size' })
      const rows = { offset: page * limit, limit, ...readOrder(query) }
      const { items, total } = await tokens.list(callerOf(request).id, rows)
      reply.header('x-total-count', total)
      return envelope(items)
    },
  )
  app.get(
    '/api/token/search',
    {
      config,
      compress: false,
      schema: {
        summary: "Search one's own tokens, without pages: 100 at most, all with `status`",
        querystring: searchQuery,
      },
    },
    async (request) => {
      const { keyword = '', token = '', status } = request.query
      const query = {
        keyword,
        token,
        ...(status === undefined ? {} : { status: Number(status) }),
        ...readOrder(request.query),
      }
      return envelope(await tokens.search(callerOf(request).id, query))
    },
  )
  const found = inPath('Show a token with its key')
  app.get('/api/token/:id', { ...found, compress: false }, async (request) =>
    envelope(await tokens.find(callerOf(request).id, request.params.id)),
  )
}

function writingRoutes(app: RouteApp, { tokens }: PluginServices): void {
  const created = { summary: 'Create a token; answers with its key', body: newTokenBody }
  app.post('/api/token/', { config, schema: created }, async (request) => {
    const caller = callerOf(request)
    return envelope(await tokens.create(caller.id, readInput(request.body), caller))
  })
  app.put(
    '/api/token/',
    {
      config,
      schema: {
        summary: 'Overwrite a token, missing fields too; with `status_only` just its status',
        body: tokenBody,
        querystring: editQuery,
      },
    },
    async (request) => {
      const { body } = request
      const userId = callerOf(request).id
      const status = numberOf(body.status)
      if (request.query.status_only) {
        return envelope(await tokens.setStatus(userId, body.id, status ?? 0))
      }
      const shown = {
        remain_quota: numberOf(body.shown_remain_quota),
        used_quota: numberOf(body.used_quota),
        created_time: numberOf(body.created_time),
        fields: body.shown ?? undefined,
      }
      return envelope(await tokens.update(userId, body.id, readInput(body), status, shown))
    },
  )
  app.delete('/api/token/:id', inPath('Delete a token; its key stops working'), async (request) => {
    await tokens.remove(callerOf(request).id, request.params.id)
    return envelope()
  })
}

function readInput(body: NewTokenBody): TokenInput {
  return {
    name: body.name ?? undefined,
    expired_time: numberOf(body.expired_time),
    remain_quota: numberOf(body.remain_quota),
    unlimited_quota: body.unlimited_quota ?? undefined,
    model_limits_enabled: body.model_limits_enabled ?? undefined,
    model_limits: body.model_limits ?? undefined,
    allow_ips: body.allow_ips ?? undefined,
    group: body.group ?? undefined,
  }
}

function readOrder({ sort, order }: Pick<ListQuery, 'sort' | 'order'>): TokenOrder {
  return { ...(sort === undefined ? {} : { sort }), isAscending: order === 'asc' }
}
