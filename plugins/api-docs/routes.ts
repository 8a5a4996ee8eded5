import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  errorType,
  type JsonObject,
  type PluginServices,
  type RouteApp,
  Type,
  userStatus,
} from '#core'
import { openApiDocument } from './openapi.ts'
import { pageFile } from './page-files.ts'
import { visibleRoutes } from './visible-routes.ts'

/** Allows nothing from other hosts. The viewer writes styles into its elements. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const fileInPath = Type.Object({ file: Type.String({ maxLength: 200 }) })

const roles = [0, 1, 10, 100] as const

const fileUnknown = errorType('api_docs.file_unknown', 404, {
  en: 'There is no such file.',
  zh: '文件不存在。',
})

type Services = Pick<PluginServices, 'environment' | 'options'>

export function docsRoutes(app: RouteApp, { environment, options }: Services): void {
  // Routes do not change within a generation, so they are described once for each level, on the first request.
  const documents = new Map<number, Promise<JsonObject>>()
  const documentOf = (role: number) => {
    const level = roles.findLast((least) => least <= role) ?? 0
    const made = documents.get(level)
    if (made) return made
    const routes = visibleRoutes(app.routeTable, level, environment.optionMinRole)
    const making = openApiDocument(routes).catch((error: unknown) => {
      documents.delete(level)
      throw error
    })
    documents.set(level, making)
    return making
  }

  app.get(
    '/docs/json',
    { config: { access: 'try-user', rate: 'global-web' } },
    async ({ caller }, reply) => {
      reply.header('cache-control', 'private, no-store')
      const isActive = caller !== null && caller.status === userStatus.active
      return { ...(await documentOf(isActive ? caller.role : 0)), ...siteOf(environment, options) }
    },
  )
  app.get('/docs', { config: { access: 'public', rate: 'global-web' } }, (request, reply) =>
    sendFile('index.html', request, reply),
  )
  app.get(
    '/docs/page/:file',
    { config: { access: 'public', rate: 'global-web' }, schema: { params: fileInPath } },
    (request, reply) => sendFile(request.params.file, request, reply),
  )
}

/** The fields of the document that name this site. Without ServerAddress, the calls are at the address of the document. */
function siteOf({ version }: Services['environment'], options: Services['options']): JsonObject {
  const url = options.get<string>('ServerAddress')
  return {
    info: { title: options.get<string>('SystemName'), version },
    ...(url === '' ? {} : { servers: [{ url }] }),
  }
}

async function sendFile(
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = await pageFile(name)
  if (!file) throw fileUnknown()
  const isPacked = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  if (isPacked) reply.header('content-encoding', 'gzip')
  return reply
    .header('content-type', file.type)
    .header('vary', 'accept-encoding')
    .header('cache-control', 'no-cache')
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .send(isPacked ? file.packed : file.plain)
}
