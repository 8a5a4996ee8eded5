import type { FastifyRequest } from 'fastify'
import { envelope, errorType, type PluginServices, userStatus, type RouteApp } from '#core'
import { ownerView } from './owner-view.ts'
import { tokenLogQuery } from './schema.ts'

/** The route is open to all and each try costs a look-up. */
const TRIES = 20
const WINDOW_SECONDS = 60
const ROWS = 1000

const tooManyTries = errorType<{ seconds: number }>('logs.too_many_tries', 429, {
  en: 'Too many look-ups. Try again in {seconds} s.',
  zh: '查询过于频繁，请在 {seconds} 秒后重试。',
})

/** The newest rows of one key, for whoever holds it: other sites show users their consumption with this. */
export function tokenLogRoutes(
  app: RouteApp,
  { rateLimits, tokens, usageLog }: Pick<PluginServices, 'rateLimits' | 'tokens' | 'usageLog'>,
): void {
  const config = { access: 'public' } as const
  app.addHook('onRequest', (_request, reply, done) => {
    // No credentials: the key in the request is all that counts, so any origin may ask.
    reply.header('access-control-allow-origin', '*')
    done()
  })
  app.options('/api/log/token', { config }, (_request, reply) =>
    reply
      .header('access-control-allow-methods', 'GET')
      .header('access-control-allow-headers', 'authorization')
      .code(204)
      .send(),
  )
  app.get('/api/log/token', { config, schema: { querystring: tokenLogQuery } }, async (request) => {
    await limit(rateLimits, request.clientAddress)
    const token = await tokens.authenticate(keyOf(request, request.query.key))
    if (!token || token.userStatus !== userStatus.active) return envelope([])
    const { items } = await usageLog.list({ tokenId: token.tokenId }, { page: 1, pageSize: ROWS })
    return envelope(items.map((row) => ownerView(row, request.language)))
  })
}

async function limit(rateLimits: PluginServices['rateLimits'], address: string): Promise<void> {
  const answer = await rateLimits.take(`token-log:${address}`, TRIES, WINDOW_SECONDS)
  if (answer.isAllowed) return
  const seconds = answer.retryAfterSeconds
  throw tooManyTries({ seconds }, { headers: { 'retry-after': String(seconds) } })
}

/** The header keeps the key out of addresses and their logs, so it comes first. */
function keyOf(request: FastifyRequest, inQuery = ''): string {
  const credential = request.headers.authorization ?? inQuery
  return credential
    .trim()
    .replace(/^bearer\s+/i, '')
    .replace(/^sk-/, '')
}
