// Routes for callers that hold a key but are not signed in: pages of other sites and desktop clients use them to show what a key has used.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AppError, errorType } from '../../contract/errors.ts'
import { userStatus } from '../../contract/constants.ts'
import type { RateLimitService, TokenIdentity, TokenService } from '../../contract/services.ts'
import { clientNetwork } from '../../net/addresses/client-network.ts'
import { isAddressAllowed } from '../../tokens/address-list.ts'

/** Such a route is open to everybody, and each try costs a look-up. */
const TRIES = 20
const WINDOW_SECONDS = 60

/** Lets pages of any site call `path` and everything registered with it. Cookies do not count there, only the key in the request. */
export function openToKeyHolders(
  app: Pick<FastifyInstance, 'addHook' | 'options'>,
  path: string,
): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('access-control-allow-origin', '*')
    done()
  })
  app.options(path, { config: { access: 'public' } }, (_request, reply) =>
    reply
      .header('access-control-allow-methods', 'GET')
      .header('access-control-allow-headers', 'authorization')
      .code(204)
      .send(),
  )
}

/** The key without `Bearer` and `sk-`. The header comes before the query, because it keeps keys out of addresses and their logs. */
export function shownKey(request: FastifyRequest, inQuery = ''): string {
  const credential = request.headers.authorization ?? inQuery
  return credential
    .trim()
    .replace(/^bearer\s+/i, '')
    .replace(/^sk-/, '')
}

const addressRefused = errorType('token.address_refused', 403, {
  en: 'This API key may not be used from your address.',
  zh: '该 API 密钥不允许从您的地址使用。',
})

/** The token of the key that the caller shows; undefined if there is none, or if its account is banned.
 *  @throws token.address_refused where the relay would refuse the key, too */
export async function keyHolder(
  tokens: Pick<TokenService, 'authenticate'>,
  request: FastifyRequest,
  inQuery = '',
): Promise<TokenIdentity | undefined> {
  const identity = await tokens.authenticate(shownKey(request, inQuery))
  if (!identity || identity.userStatus !== userStatus.active) return undefined
  if (!isAddressAllowed(identity.allowAddresses, request.clientAddress)) throw addressRefused()
  return identity
}

/** The error that `takeLookUp` throws. @param code of the plugin, which must call `errors.sendAs(code, 429)` */
export const tooManyLookUps = (code: AppError['code']) =>
  errorType<{ seconds: number }>(code, 429, {
    en: 'Too many look-ups. Try again in {seconds} s.',
    zh: '查询过于频繁，请在 {seconds} 秒后重试。',
  })

/** Counts a try of this address; an IPv6 client counts by its /64 network. @param name of the look-up */
export async function takeLookUp(
  rateLimits: RateLimitService,
  { name, address, refusal }: LookUp,
): Promise<void> {
  const answer = await rateLimits.take(`${name}:${clientNetwork(address)}`, TRIES, WINDOW_SECONDS)
  if (answer.isAllowed) return
  const seconds = answer.retryAfterSeconds
  throw refusal({ seconds }, { headers: { 'retry-after': String(seconds) } })
}

export interface LookUp {
  name: string
  address: string
  refusal: ReturnType<typeof tooManyLookUps>
}
