import type { TSchema } from '@sinclair/typebox'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, errorType, type LogRecord, type PluginServices, type RouteApp } from '#core'
import { type ExportInput, exportLines } from './export.ts'
import { ExportTurns } from './export-turns.ts'
import { adminFilters, ownFilters } from './filters.ts'
import { ownerView } from './owner-view.ts'
import { exportQuery, ownExportQuery } from './schema.ts'

/** Few, because each reads the whole log of its filters. */
const EXPORTS = 6
const WINDOW_SECONDS = 60

const tooManyExports = errorType<{ seconds: number }>('logs.too_many_exports', 429, {
  en: 'Too many exports. Try again in {seconds} s.',
  zh: '导出过于频繁，请在 {seconds} 秒后重试。',
})

type Services = Pick<PluginServices, 'options' | 'rateLimits' | 'usageLog'>

/** The log as a file, with the filters of the list. */
export function exportRoutes(app: RouteApp, services: Services): void {
  const schema = <T extends TSchema>(whose: string, querystring: T) => ({
    summary: `Download ${whose} as CSV, newest first, with the filters of the list`,
    querystring,
    produces: ['text/csv'],
  })
  const all = schema('the log of all users', exportQuery)
  const own = schema("one's own log", ownExportQuery)
  const turns = new ExportTurns()
  app.get('/api/log/export', { config: { access: 'admin' }, schema: all }, async (request, reply) =>
    send(request, reply, services, {
      query: adminFilters(request.query),
      isAdmin: true,
      turns,
      view: (row) => row,
    }),
  )
  app.get(
    '/api/log/self/export',
    { config: { access: 'user' }, schema: own },
    async (request, reply) =>
      send(request, reply, services, {
        query: ownFilters(request.query, callerOf(request).id),
        isAdmin: false,
        turns,
        view: (row) => ({ ...row, ...(ownerView(row, request.language) as Partial<LogRecord>) }),
      }),
  )
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { options, rateLimits, usageLog }: Services,
  input: Omit<ExportInput, 'quotaPerUnit'>,
): Promise<FastifyReply> {
  const key = `log-export:${callerOf(request).id}`
  const answer = await rateLimits.take(key, EXPORTS, WINDOW_SECONDS)
  if (!answer.isAllowed) {
    const seconds = answer.retryAfterSeconds
    throw tooManyExports({ seconds }, { headers: { 'retry-after': String(seconds) } })
  }
  const quotaPerUnit = options.get<number>('QuotaPerUnit')
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="log.csv"')
    .header('x-content-type-options', 'nosniff')
    .send(Readable.from(exportLines(usageLog, { ...input, quotaPerUnit })))
}
