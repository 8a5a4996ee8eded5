import type { HttpClient } from '../contract/http-client.ts'
import { errorType } from '../contract/errors.ts'
import { isObject } from '../contract/json.ts'

export interface CodeExchange {
  url: string
  clientId: string
  clientSecret: string
  code: string
  redirectUri?: string
  codeVerifier?: string | undefined
  /** How the gateway authenticates at the provider. The default is in the form. */
  authentication?: 'post' | 'basic'
}

const codeRefused = errorType<{ reason: string }>('sign_in.code_refused', 403, {
  en: 'The sign-in provider did not accept the code ({reason}). Start again; if it happens again, the settings of this sign-in method are wrong.',
  zh: '登录服务拒绝了授权码（{reason}），请重试；如仍出现，请检查该登录方式的设置。',
})

/** Exchanges a code for the access token (RFC 6749, section 4.1.3).
 *  @throws sign_in.code_refused */
export async function exchangeCode(
  fetch: HttpClient['json'],
  exchange: CodeExchange,
): Promise<string> {
  const { clientId, clientSecret, codeVerifier, redirectUri } = exchange
  const isBasic = exchange.authentication === 'basic'
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: exchange.code,
    ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
    ...(codeVerifier === undefined ? {} : { code_verifier: codeVerifier }),
    ...(isBasic ? {} : { client_id: clientId, client_secret: clientSecret }),
  })
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
  const { status, body } = await fetch({
    method: 'POST',
    url: exchange.url,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'tollgate',
      ...(isBasic ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {}),
    },
    body: form.toString(),
  })
  // Some providers send an error with status 200.
  const answer = isObject(body) ? body : {}
  const token = answer['access_token']
  if (typeof token === 'string' && token !== '' && status < 300) return token
  throw codeRefused({ reason: reasonOf(answer, status) })
}

function reasonOf(answer: Record<string, unknown>, status: number): string {
  const { error } = answer
  return typeof error === 'string' ? error.slice(0, 80) : `HTTP ${status}`
}
