// Exchanges the code for an ID token; openid-client checks its signature, issuer, audience, times and nonce.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  type ClientAuth,
} from 'openid-client'
import { AppError, type AuthAnswer, errorType, type PluginServices } from '#core'
import { guardedFetch } from './guarded-fetch.ts'
import type { Metadata, OidcSite } from './site.ts'

type Services = Pick<PluginServices, 'http' | 'log'>

const refused = errorType<{ reason: string }>('auth_oidc.refused', 403, {
  en: 'The sign-in with the provider could not be verified ({reason}). Start again; if it happens again, tell the administrator.',
  zh: '无法验证该登录服务的响应（{reason}），请重试；如仍出现，请告知管理员。',
})

/** @throws auth_oidc.refused */
export async function signedClaims(
  { http, log }: Services,
  { site, metadata }: { site: OidcSite; metadata: Metadata },
  answer: AuthAnswer,
): Promise<Record<string, unknown>> {
  // Read once: the issuer of the identity names it.
  const { clientId } = site
  const configure = (authentication: ClientAuth) => {
    const config = new Configuration(metadata, clientId, {}, authentication)
    config[customFetch] = guardedFetch(http)
    config.timeout = 10
    enableNonRepudiationChecks(config)
    // The operator chose the host, and may choose plain http.
    if (isPlain(metadata)) allowInsecureRequests(config)
    return config
  }
  const [first, ...others] = authentications(metadata, site.clientSecret)
  try {
    return await claimsOf(configure(first), metadata, answer)
  } catch (error) {
    const [second] = others
    try {
      // Only the provider knows which of the two methods this client may use. A refusal of the client does not
      // consume the code.
      if (second && reasonOf(error) === 'invalid_client')
        return await claimsOf(configure(second), metadata, answer)
      throw error
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      log.warn({ err: cause }, 'a sign-in by OIDC was refused')
      throw refused({ reason: reasonOf(cause) }, { cause })
    }
  }
}

async function claimsOf(
  config: Configuration,
  { issuer, userinfo_endpoint: userInfo }: Metadata,
  { parameters, redirectUri, codeVerifier, nonce }: AuthAnswer,
): Promise<Record<string, unknown>> {
  const page = new URL(redirectUri)
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value)
  // Older consoles send only code and state. The gateway has a single OIDC provider, so the answer can come from no
  // other issuer.
  if (nonce === undefined && !page.searchParams.has('iss')) page.searchParams.set('iss', issuer)
  const tokens = await authorizationCodeGrant(config, page, {
    idTokenExpected: true,
    ...(parameters['state'] === undefined ? {} : { expectedState: parameters['state'] }),
    ...(nonce === undefined ? {} : { expectedNonce: nonce }),
    ...(codeVerifier === undefined ? {} : { pkceCodeVerifier: codeVerifier }),
  })
  const claims = tokens.claims()
  if (!claims) throw refused({ reason: 'no ID token' })
  if (!userInfo) return claims
  // openid-client refuses an answer about another subject.
  const info = await fetchUserInfo(config, tokens.access_token, claims.sub)
  // `email_verified` belongs to the `email` in the same document.
  const { email, email_verified, ...others } = info
  const address = email === undefined ? {} : { email, email_verified }
  return { ...claims, ...others, ...address }
}

/** Client authentication methods, in the order in which they are tried. */
function authentications(
  metadata: Metadata,
  secret: string,
): readonly [ClientAuth, ...ClientAuth[]] {
  if (secret === '') return [None()]
  const listed = metadata['token_endpoint_auth_methods_supported']
  const methods = Array.isArray(listed) ? listed : ['client_secret_basic']
  const both = [ClientSecretPost(secret), ClientSecretBasic(secret)] as const
  return methods.includes('client_secret_post') ? both : [both[1], both[0]]
}

function isPlain(metadata: Metadata): boolean {
  const used = [metadata.token_endpoint, metadata.jwks_uri, metadata.userinfo_endpoint ?? '']
  return used.some((address) => address.startsWith('http:'))
}

/** Codes of RFC 6749 or of openid-client. The sentences that come with them are not shown: they may contain parts of
 *  a token. */
function reasonOf(error: unknown): string {
  const { error: answered, code } = error as { error?: unknown; code?: unknown }
  if (typeof answered === 'string') return answered.slice(0, 80)
  return typeof code === 'string' ? code : 'no answer'
}
