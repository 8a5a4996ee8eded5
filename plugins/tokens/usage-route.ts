import type { FastifyRequest } from 'fastify'
import {
  envelope,
  errorType,
  keyHolder,
  openToKeyHolders,
  type PluginServices,
  type RouteApp,
  takeLookUp,
  tooManyLookUps,
} from '#core'

const PATH = '/api/usage/token'
const refusal = tooManyLookUps('token.too_many_tries')
const keyUnknown = errorType('token.key_unknown', 401, {
  en: 'This API key is not valid. Send it as "Authorization: Bearer sk-…".',
  zh: 'API 密钥无效。请按“Authorization: Bearer sk-…”的形式发送。',
})

/** The figures of one key for its holder, in units. Desktop clients show the remainder with this call. */
export function usageRoute(
  app: RouteApp,
  services: Pick<PluginServices, 'rateLimits' | 'tokens'>,
): void {
  const config = { access: 'public' } as const
  const schema = { summary: 'Show the holder of a key its use and remainder, in quota units' }
  openToKeyHolders(app, PATH)
  app.get(PATH, { config, schema }, async (request) => {
    const { clientAddress: address } = request
    await takeLookUp(services.rateLimits, { name: 'token-usage', address, refusal })
    // Clients made for similar gateways expect `code` and `ok`.
    return envelope(await figuresOf(services.tokens, request), { message: 'ok', code: true })
  })
}

/** @throws token.key_unknown, token.address_refused */
async function figuresOf(tokens: PluginServices['tokens'], request: FastifyRequest) {
  const identity = await keyHolder(tokens, request)
  if (!identity) throw keyUnknown()
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
    /** 0 means never. */
    expires_at: Math.max(0, token.expired_time),
  }
}
