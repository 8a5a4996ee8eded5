// OpenID Connect Core 1.0, authorization code flow, with PKCE (RFC 7636) and nonce.
import {
  type AuthAnswer,
  type AuthProvider,
  errorType,
  exchangeCode,
  isObject,
  type PluginServices,
  type ProviderIdentity,
} from '#core'
import { signedClaims } from './id-token.ts'
import type { OidcSite } from './site.ts'

type Services = Pick<PluginServices, 'fetch' | 'http' | 'log' | 'options'>

const unreadable = errorType<{ status: number }>('auth_oidc.unreadable', 502, {
  en: 'The provider did not say who you are (HTTP {status}). Try again.',
  zh: '登录服务未返回用户信息（HTTP {status}），请重试。',
})

export function oidcProvider(services: Services, site: OidcSite): AuthProvider {
  return {
    id: 'oidc',
    kind: 'redirect',
    name: { en: 'OIDC', zh: 'OIDC' },
    isEnabled: () => services.options.get<boolean>('oidc.enabled'),
    issuer: { configured: () => site.configuredIssuer(), current: () => site.issuer() },
    async authorizeUrl({ state, nonce, codeChallenge, redirectUri }) {
      const metadata = await site.metadata()
      const page = new URL(metadata?.authorization_endpoint ?? site.endpoints().authorization)
      const query = {
        client_id: site.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid profile email',
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(query)) page.searchParams.set(name, value)
      return page.href
    },
    async identify(answer) {
      const found = await site.found()
      if (found) {
        const claims = await signedClaims(services, { site, metadata: found.metadata }, answer)
        return toIdentity(claims, found.issuer)
      }
      const issuer = site.issuerByHand()
      return toIdentity(await claimsByHand(services, site, answer), issuer)
    },
  }
}

/** The sign-in of a provider that speaks OAuth 2.0 only: the user endpoint names the owner of the token, which was
 *  issued for our code. */
async function claimsByHand(
  { fetch }: Services,
  site: OidcSite,
  { code, codeVerifier, redirectUri }: AuthAnswer,
): Promise<Record<string, unknown>> {
  const { token: url, userInfo } = site.endpoints()
  const { clientId, clientSecret } = site
  const exchange = { url, clientId, clientSecret, code, codeVerifier, redirectUri }
  const token = await exchangeCode(fetch, exchange)
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const { status, body } = await fetch({ method: 'GET', url: userInfo, headers })
  if (status !== 200 || !isObject(body)) throw unreadable({ status })
  return body
}

function toIdentity(claims: Record<string, unknown>, issuer: string): ProviderIdentity {
  const textOf = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return {
    subject: textOf('sub') ?? '',
    issuer,
    username: textOf('preferred_username'),
    display_name: textOf('name') ?? 'OIDC User',
    email: textOf('email'),
    // Some providers send it as a string.
    isEmailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
  }
}
