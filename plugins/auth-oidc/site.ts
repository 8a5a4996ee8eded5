// The provider as the operator set it: its metadata, found at the well-known address and kept for a while; single endpoints may be set by hand.
import type { ServerMetadata } from 'openid-client'
import { AppError, errorType, isObject, type PluginServices, type Text } from '#core'

type Services = Pick<PluginServices, 'fetch' | 'log' | 'options'>

/** What is used of a provider's metadata (OpenID Connect Discovery 1.0, section 3). */
export type Metadata = ServerMetadata &
  Record<'authorization_endpoint' | 'token_endpoint' | 'jwks_uri', string>

/** Without a well-known address nobody can check an ID token: the user endpoint says who it is. */
export interface Endpoints {
  authorization: string
  token: string
  userInfo: string
}

const undiscovered = errorType<{ reason: string | Text }>('auth_oidc.undiscovered', 502, {
  en: 'The OIDC configuration cannot be fetched ({reason}). Check the network and the well-known URL.',
  zh: '获取 OIDC 配置失败（{reason}），请检查网络和 Well-Known URL 是否正确。',
})
const incomplete = errorType('auth_oidc.incomplete', 400, {
  en: 'The settings of OIDC need a well-known URL, or all three endpoints.',
  zh: 'OIDC 设置需填写 Well-Known URL，或填写全部三个端点。',
})

const KEPT_MS = 10 * 60 * 1000
const WELL_KNOWN = '/.well-known/openid-configuration'

export class OidcSite {
  readonly #services: Services
  #kept: { address: string; metadata: Metadata; atMs: number } | undefined

  constructor(services: Services) {
    this.#services = services
  }

  get clientId(): string {
    return this.#option('oidc.client_id')
  }

  get clientSecret(): string {
    return this.#option('oidc.client_secret')
  }

  /** Undefined without a well-known address. Endpoints set by hand go before the provider's. @throws auth_oidc.undiscovered */
  async metadata(): Promise<Metadata | undefined> {
    return (await this.found())?.metadata
  }

  /** With the issuer as identities have it. @throws auth_oidc.undiscovered */
  async found(): Promise<{ metadata: Metadata; issuer: string } | undefined> {
    const address = this.#option('oidc.well_known')
    if (address === '') return undefined
    const known = await this.#known(address)
    const metadata = { ...known, ...this.#setByHand() }
    const issuer = provenIssuer(known.issuer, address)
    const { token_endpoint: tokens } = metadata
    // Whoever answers there could hand out what the provider signed for somebody in another place.
    const isItsOwn = tokens === known.token_endpoint
    return { metadata, issuer: isItsOwn ? issuer : `${issuer} by ${tokens}` }
  }

  /** @throws auth_oidc.incomplete */
  endpoints(): Endpoints {
    const [authorization, token, userInfo] = [
      this.#option('oidc.authorization_endpoint'),
      this.#option('oidc.token_endpoint'),
      this.#option('oidc.user_info_endpoint'),
    ]
    if (authorization === '' || token === '' || userInfo === '') throw incomplete()
    return { authorization, token, userInfo }
  }

  /** Set by hand or found before; empty until then. */
  authorizationEndpoint(): string {
    const byHand = this.#option('oidc.authorization_endpoint')
    return byHand || this.#kept?.metadata.authorization_endpoint || ''
  }

  /** Where the issuer is to be found; whoever speaks OAuth 2.0 only is known by the endpoint that names people. */
  configuredIssuer(): string {
    const address = this.#option('oidc.well_known')
    if (address === '') return this.#option('oidc.user_info_endpoint')
    return `at ${prefixOf(address)}`
  }

  /** @throws auth_oidc.undiscovered */
  async issuer(): Promise<string> {
    return (await this.found())?.issuer ?? this.#option('oidc.user_info_endpoint')
  }

  forget(): void {
    this.#kept = undefined
    this.warmUp()
  }

  /** So that the status can name the provider's page before the first sign-in. */
  warmUp(): void {
    if (!this.#services.options.get<boolean>('oidc.enabled')) return
    this.metadata().catch((error: unknown) =>
      this.#services.log.warn({ err: error }, 'the OIDC configuration cannot be fetched'),
    )
  }

  /** @throws auth_oidc.undiscovered */
  async discover(address: string): Promise<Metadata> {
    const url = address.includes('/.well-known/')
      ? address
      : address.replace(/\/$/, '') + WELL_KNOWN
    const { status, body } = await this.#ask(url)
    if (status !== 200) throw undiscovered({ reason: `HTTP ${status}` })
    if (!isMetadata(body)) throw undiscovered({ reason: 'issuer, endpoints or jwks_uri missing' })
    return body
  }

  async #known(address: string): Promise<Metadata> {
    const kept = this.#kept
    if (kept?.address === address && Date.now() - kept.atMs < KEPT_MS) return kept.metadata
    const metadata = await this.discover(address)
    this.#kept = { address, metadata, atMs: Date.now() }
    return metadata
  }

  async #ask(url: string) {
    const request = { method: 'GET', url, headers: { accept: 'application/json' } }
    try {
      return await this.#services.fetch(request, { firstByteTimeoutMs: 5_000, maxRedirects: 3 })
    } catch (error) {
      throw undiscovered({ reason: reasonOf(error) }, { cause: error })
    }
  }

  #setByHand(): Partial<Record<keyof ServerMetadata, string>> {
    const set = {
      authorization_endpoint: this.#option('oidc.authorization_endpoint'),
      token_endpoint: this.#option('oidc.token_endpoint'),
      userinfo_endpoint: this.#option('oidc.user_info_endpoint'),
    }
    return Object.fromEntries(Object.entries(set).filter(([, value]) => value !== ''))
  }

  #option(key: string): string {
    return this.#services.options.get<string>(key)
  }
}

/** Of any other form the whole: a path that leads elsewhere is no other spelling of its host. */
function prefixOf(address: string): string {
  return address.endsWith(WELL_KNOWN) ? address.slice(0, -WELL_KNOWN.length) : address
}

/** Whoever answers at an address may call himself anything: only the name that stands in the address is his (OpenID Connect Discovery 1.0, section
 *  4.3). Providers behind another address than their public one keep their name together with it. */
function provenIssuer(issuer: string, address: string): string {
  const bare = (text: string) => (text.endsWith('/') ? text.slice(0, -1) : text)
  return bare(issuer) === bare(prefixOf(address)) ? issuer : `${issuer} at ${address}`
}

function isMetadata(body: unknown): body is Metadata {
  if (!isObject(body)) return false
  const needed = ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri']
  return needed.every((name) => {
    const value = body[name]
    return typeof value === 'string' && URL.canParse(value)
  })
}

/** Of another sentence: without its full stop. */
function reasonOf(error: unknown): string | Text {
  if (!(error instanceof AppError)) {
    return (error instanceof Error ? error.message : String(error)).slice(0, 200)
  }
  const inWords = (language: keyof Text) => error.messageIn(language).replace(/[.。]$/, '')
  return { en: inWords('en'), zh: inWords('zh') }
}
