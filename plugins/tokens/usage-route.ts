import type { FastifyRequest } from 'fastify'
import { envelope, errorType, type PluginServices, type RouteApp, userStatus } from '#core'

/** The route is open to all and each try costs a look-up. */
const TRIES = 20
const WINDOW_SECONDS = 60

const tooManyTries = errorType<{ seconds: number }>('token.too_many_tries', 429, {
  en: 'Too many look-ups. Try again in {seconds} s.',
  zh: '查询过于频繁，请在 {seconds} 秒后重试。',
})
const keyUnknown = errorType('token.key_unknown', 401, {
  en: 'This API key is not valid. Send it as "Authorization: Bearer sk-…".',
  zh: 'API 密钥无效。请按“Authorization: Bearer sk-…”的形式发送。',
})

/** The figures of one key for whoever holds it, in units: desktop clients show what is left with this. */
export function usageRoute(
  app: RouteApp,
  services: Pick<PluginServices, 'rateLimits' | 'tokens'>,
): void {
  const config = { access: 'public' } as const
  app.addHook('onRequest', (_request, reply, done) => {
    // No credentials: the key in the request is all that counts, so any origin may ask.
    reply.header('access-control-allow-origin', '*')
    done()
  })
  app.options('/api/usage/token', { config }, (_request, reply) =>
    reply
      .header('access-control-allow-methods', 'GET')
      .header('access-control-allow-headers', 'authorization')
      .code(204)
      .send(),
  )
  app.get('/api/usage/token', { config }, async (request) => {
    await limit(services.rateLimits, request.clientAddress)
    // Consoles of this family look for `code` and `ok`.
    return envelope(await figuresOf(services.tokens, request), { message: 'ok', code: true })
  })
}

/** @throws token.key_unknown */
async function figuresOf(tokens: PluginServices['tokens'], request: FastifyRequest) {
  const key = (request.headers.authorization ?? '').trim().replace(/^bearer\s+/i, '')
  const identity = await tokens.authenticate(key.replace(/^sk-/, ''))
  if (!identity || identity.userStatus !== userStatus.active) throw keyUnknown()
  const token = await tokens.find(identity.userId, identity.tokenId)
  return {
    object: 'token_usage',
    name: token.name,
    total_granted: token.remain_quota + token.used_quota,
    total_used: token.used_quota,
    total_available: token.remain_quota,
    unlimited_quota: token.unlimited_quota,
    model_limits: Object.fromEntries([...(identity.models ?? [])].map((model) => [model, true])),
    model_limits_enabled: token.model_limits_enabled,
    /** 0: never. */
    expires_at: Math.max(0, token.expired_time),
  }
}

async function limit(rateLimits: PluginServices['rateLimits'], address: string): Promise<void> {
  const answer = await rateLimits.take(`token-usage:${address}`, TRIES, WINDOW_SECONDS)
  if (answer.isAllowed) return
  const seconds = answer.retryAfterSeconds
  throw tooManyTries({ seconds }, { headers: { 'retry-after': String(seconds) } })
}
