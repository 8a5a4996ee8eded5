import { UpstreamError, type AttemptContext } from '#core'
import { askJson, keyParts, readFailure } from '#adapter-kit'

export const KEY_FORM = 'APIKey|SecretKey'

const HOUR_MS = 3_600_000

/** Kept for its life of weeks and renewed in the background in its last hour.
 *  @throws UpstreamError of class dead-key when the pair is refused */
export function accessToken(context: AttemptContext): Promise<string> {
  return context.cache.remember(cacheKey(context), () => exchange(context))
}

export function forgetToken(context: AttemptContext): void {
  context.cache.forget(cacheKey(context))
}

function cacheKey({ channel }: AttemptContext): string {
  return `${channel.baseUrl} ${channel.key}`
}

async function exchange({ channel, http, httpOptions }: AttemptContext) {
  const [id, secret] = keyParts(channel.key, KEY_FORM)
  const query = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
  })
  const request = {
    method: 'POST',
    url: `${channel.baseUrl}/oauth/2.0/token?${query.toString()}`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
  }
  // The call that needs the token may be given up while others wait for the same exchange.
  const body = await askJson(http, request, { ...httpOptions, signal: undefined }).catch(asDeadKey)
  const { access_token: value, expires_in: seconds } = body
  if (typeof value !== 'string') return asDeadKey(new UpstreamError(readFailure(401, body)))
  const ttlMs = typeof seconds === 'number' ? seconds * 1000 : HOUR_MS
  return { value, ttlMs, renewMs: HOUR_MS }
}

/** A refused pair is a dead key with status 401, whatever status the token endpoint gave; a fault of the endpoint is not. */
function asDeadKey(error: unknown): never {
  const isRefusal = error instanceof UpstreamError && error.failure.status < 500
  if (!isRefusal) throw error
  throw new UpstreamError({ ...error.failure, status: 401 }, 'invalid-credentials', {
    cause: error,
  })
}
