// Linux DO Connect: OAuth 2.0 over the accounts of a Discourse forum. Source: connect.linux.do, and Discourse's trust levels (0 new to 4 leader).
import {
  type AppError,
  type AuthAnswer,
  type AuthProvider,
  clientIssuer,
  errorType,
  exchangeCode,
  isObject,
  type JsonObject,
  type PluginServices,
  type ProviderIdentity,
} from '#core'

type Services = Pick<PluginServices, 'environment' | 'fetch' | 'options'>

const unreadable = errorType<{ status: number }>('auth_linuxdo.unreadable', 502, {
  en: 'Linux DO did not say who you are (HTTP {status}). Try again.',
  zh: 'Linux DO 未返回用户信息（HTTP {status}），请重试。',
})
const trustTooLow = errorType<{ level: number; minimum: number }>(
  'auth_linuxdo.trust_too_low',
  403,
  {
    en: 'Registration needs Linux DO trust level {minimum}; yours is {level}.',
    zh: '注册需要 Linux DO 信任等级达到 {minimum} 级，您当前为 {level} 级。',
  },
)
const notInGoodStanding = errorType('auth_linuxdo.not_active', 403, {
  en: 'Your Linux DO account is not active or has been silenced, so no account can be made with it.',
  zh: '您的 Linux DO 账号未激活或已被禁言，无法用于注册。',
})

export function linuxdoProvider(services: Services): AuthProvider {
  const { environment, options } = services
  return {
    id: 'linuxdo',
    kind: 'redirect',
    name: { en: 'Linux DO', zh: 'Linux DO' },
    isEnabled: () => options.get<boolean>('LinuxDOOAuthEnabled'),
    issuer: { configured: () => configuredIssuer(services) },
    authorizeUrl: ({ state, redirectUri }) => {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: options.get<string>('LinuxDOClientId'),
        redirect_uri: redirectUri,
        state,
      })
      return `${siteOf(environment)}/oauth2/authorize?${query.toString()}`
    },
    identify: (answer) => identify(services, answer),
  }
}

async function identify(services: Services, answer: AuthAnswer): Promise<ProviderIdentity> {
  const { environment, fetch, options } = services
  const site = siteOf(environment)
  const issuer = issuerOf(services)
  const token = await exchangeCode(fetch, {
    url: `${site}/oauth2/token`,
    clientId: options.get<string>('LinuxDOClientId'),
    clientSecret: options.get<string>('LinuxDOClientSecret'),
    code: answer.code,
    redirectUri: answer.redirectUri,
    authentication: 'basic',
  })
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const { status, body } = await fetch({ method: 'GET', url: `${site}/api/user`, headers })
  const user = isObject(body) ? body : {}
  const { id, name } = user
  if (status !== 200 || typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0)
    throw unreadable({ status })
  return {
    subject: String(id),
    issuer,
    display_name: typeof name === 'string' ? name : undefined,
    refusal: refusalFor(user, options.get<number>('LinuxDOMinimumTrustLevel')),
  }
}

/** The trust level is only required of new accounts: an account that exists may sign in after its level has dropped. */
function refusalFor(user: JsonObject, minimum: number): AppError | undefined {
  if (user['active'] === false || user['silenced'] === true) return notInGoodStanding()
  const level = typeof user['trust_level'] === 'number' ? user['trust_level'] : 0
  return level < minimum ? trustTooLow({ level, minimum }) : undefined
}

/** Empty as long as there is no client. */
function configuredIssuer(services: Pick<Services, 'environment' | 'options'>): string {
  return services.options.get<string>('LinuxDOClientId') === '' ? '' : issuerOf(services)
}

function issuerOf({ environment, options }: Pick<Services, 'environment' | 'options'>): string {
  return clientIssuer(siteOf(environment), options.get<string>('LinuxDOClientId'))
}

function siteOf(environment: PluginServices['environment']): string {
  return (environment.read('LINUX_DO_URL') || 'https://connect.linux.do').replace(/\/$/, '')
}
