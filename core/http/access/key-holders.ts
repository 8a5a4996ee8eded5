// Routes for whoever holds a key and is not signed in: pages of other sites and desktop clients show with them what a key has used.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AppError, errorType } from '../../contract/errors.ts'
import type { RateLimitService } from '../../contract/services.ts'
import { clientNetwork } from '../../net/addresses/client-network.ts'

/** Such a route is open to all and each try costs a look-up. */
const TRIES = 20
const WINDOW_SECONDS = 60

/** Lets pages of any site ask `path`, and all that is registered beside it: no cookie counts there, only the key in the request. */
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

/** The header keeps the key out of addresses and their logs, so it comes before what stands in the query. Without `Bearer` and `sk-`. */
export function shownKey(request: FastifyRequest, inQuery = ''): string {
  const credential = request.headers.authorization ?? inQuery
  return credential
    .trim()
    .replace(/^bearer\s+/i, '')
    .replace(/^sk-/, '')
}

/** What `takeLookUp` throws. @param code of the plugin, which says `errors.sendAs(code, 429)` */
export const tooManyLookUps = (code: AppError['code']) =>
  errorType<{ seconds: number }>(code, 429, {
    en: 'Too many look-ups. Try again in {seconds} s.',
    zh: '查询过于频繁，请在 {seconds} 秒后重试。',
  })

/** Counts a try of this address, or of the network that an IPv6 client has to itself. @param name of the look-up */
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
