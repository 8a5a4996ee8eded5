// GitHub OAuth apps. Source: docs.github.com, "Authorizing OAuth apps", "REST API endpoints for users" and "… for emails".
import {
  type AuthAnswer,
  type AuthProvider,
  clientIssuer,
  errorType,
  exchangeCode,
  isObject,
  type PluginServices,
  type ProviderIdentity,
} from '#core'

type Services = Pick<PluginServices, 'environment' | 'fetch' | 'options'>

const unreadable = errorType<{ status: number }>('auth_github.unreadable', 502, {
  en: 'GitHub did not say who you are (HTTP {status}). Try again.',
  zh: 'GitHub 未返回用户信息（HTTP {status}），请重试。',
})

export function githubProvider(services: Services): AuthProvider {
  const { environment, options } = services
  return {
    id: 'github',
    kind: 'redirect',
    name: { en: 'GitHub', zh: 'GitHub' },
    isEnabled: () => options.get<boolean>('GitHubOAuthEnabled'),
    // User ids are small numbers, so another GitHub installation assigns the same ids to other people.
    issuer: { configured: () => configuredIssuer(services) },
    authorizeUrl: ({ state, redirectUri, codeChallenge }) => {
      const query = new URLSearchParams({
        client_id: options.get<string>('GitHubClientId'),
        redirect_uri: redirectUri,
        scope: 'user:email',
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      })
      return `${siteOf(environment)}/login/oauth/authorize?${query.toString()}`
    },
    identify: (answer) => identify(services, answer),
  }
}

async function identify(services: Services, answer: AuthAnswer): Promise<ProviderIdentity> {
  const { environment, fetch, options } = services
  const issuer = issuerOf(services)
  const token = await exchangeCode(fetch, {
    url: `${siteOf(environment)}/login/oauth/access_token`,
    clientId: options.get<string>('GitHubClientId'),
    clientSecret: options.get<string>('GitHubClientSecret'),
    code: answer.code,
    codeVerifier: answer.codeVerifier,
    // A console that built the address itself sent no callback, and then none may be sent here.
    ...(answer.codeVerifier === undefined ? {} : { redirectUri: answer.redirectUri }),
  })
  const user = await ask(services, token, '/user')
  // A login can be renamed and taken by somebody else; the id never changes.
  const { id, name } = isObject(user.body) ? user.body : {}
  if (user.status !== 200 || typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0)
    throw unreadable({ status: user.status })
  const email = verifiedAddress((await ask(services, token, '/user/emails')).body)
  return {
    subject: String(id),
    issuer,
    display_name: typeof name === 'string' && name !== '' ? name : 'GitHub User',
    email,
    isEmailVerified: email !== undefined,
  }
}

/** The address in a public profile is not verified; this list contains the verified ones. */
function verifiedAddress(list: unknown): string | undefined {
  if (!Array.isArray(list)) return undefined
  const verified = list.filter(isObject).filter((entry) => entry['verified'] === true)
  const best = verified.find((entry) => entry['primary'] === true) ?? verified[0]
  return typeof best?.['email'] === 'string' ? best['email'] : undefined
}

function ask({ environment, fetch }: Services, token: string, path: string) {
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    // The API refuses calls without a User-Agent.
    'user-agent': 'tollgate',
  }
  return fetch({ method: 'GET', url: `${apiOf(environment)}${path}`, headers })
}

/** Empty as long as there is no client. */
function configuredIssuer(services: Pick<Services, 'environment' | 'options'>): string {
  return services.options.get<string>('GitHubClientId') === '' ? '' : issuerOf(services)
}

function issuerOf({ environment, options }: Pick<Services, 'environment' | 'options'>): string {
  return clientIssuer(siteOf(environment), options.get<string>('GitHubClientId'))
}

function siteOf(environment: PluginServices['environment']): string {
  return (environment.read('GITHUB_URL') || 'https://github.com').replace(/\/$/, '')
}

function apiOf(environment: PluginServices['environment']): string {
  return (environment.read('GITHUB_API_URL') || 'https://api.github.com').replace(/\/$/, '')
}
