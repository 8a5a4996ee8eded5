// A signed assertion is exchanged for an access token. Source: developers.google.com, "Using OAuth 2.0 for Server to Server Applications".
import { createHash } from 'node:crypto'
import {
  isObject,
  UpstreamError,
  type AttemptContext,
  type HttpClient,
  type HttpOptions,
} from '#core'
import { readFailure } from '#adapter-kit'
import { readServiceAccount, type ServiceAccount } from './service-account.ts'

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const LIFETIME_SECONDS = 3600
/** A token is given up this long before its end, so that none dies on its way. */
const MARGIN_MS = 120_000

type TokenContext = Pick<AttemptContext, 'cache' | 'channel' | 'http' | 'httpOptions' | 'now'>

/** @throws UpstreamError, of class dead-key when Google refuses the account */
export function accessToken(context: TokenContext): Promise<string> {
  const { cache, channel, http, httpOptions, now } = context
  return cache.remember(cacheKey(context), () =>
    exchange(readServiceAccount(channel), { http, httpOptions, now: now() }),
  )
}

export function forgetToken(context: TokenContext): void {
  context.cache.forget(cacheKey(context))
}

/** A channel whose key was replaced must not go on with the old one's token. */
function cacheKey({ channel }: TokenContext): string {
  return `${channel.id}:${createHash('sha256').update(channel.key).digest('hex')}`
}

async function exchange(
  account: ServiceAccount,
  { http, httpOptions, now }: { http: HttpClient; httpOptions: HttpOptions; now: Date },
): Promise<{ value: string; ttlMs: number }> {
  const form = new URLSearchParams({ grant_type: GRANT, assertion: await assertion(account, now) })
  const { status, body } = await http.json(
    {
      method: 'POST',
      url: account.tokenUri,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    },
    httpOptions,
  )
  if (status !== 200 || !isObject(body) || typeof body['access_token'] !== 'string') {
    const failure = readFailure(status, body)
    if (isOfAccount(status))
      throw new UpstreamError({ ...failure, status: 401 }, 'invalid-credentials')
    throw new UpstreamError(failure, status === 429 ? 'throttled' : 'upstream')
  }
  const seconds = Number(body['expires_in'] ?? LIFETIME_SECONDS)
  return { value: body['access_token'], ttlMs: Math.max(0, seconds * 1000 - MARGIN_MS) }
}

/** Any refusal of the exchange says that the account is not good for a token; a busy or silent server says nothing of it. */
function isOfAccount(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}

async function assertion(account: ServiceAccount, now: Date): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  const { keyId } = account
  const { SignJWT } = await import('jose')
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({
      alg: 'RS256',
      typ: 'JWT',
      ...(keyId === undefined ? {} : { kid: keyId }),
    })
    .setIssuer(account.email)
    .setAudience(account.tokenUri)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(account.privateKey)
}
