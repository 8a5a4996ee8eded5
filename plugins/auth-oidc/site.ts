// The provider as the operator configured it: its metadata, fetched from the well-known address and cached, and the
// endpoints that were set by hand.
import type { ServerMetadata } from 'openid-client'
import { AppError, clientIssuer, errorType, isObject, type PluginServices, type Text } from '#core'

type Services = Pick<PluginServices, 'fetch' | 'log' | 'options'>

/** The part of a provider's metadata that is used (OpenID Connect Discovery 1.0, section 3). */
export type Metadata = ServerMetadata &
  Record<'authorization_endpoint' | 'token_endpoint' | 'jwks_uri', string>

/** Without a well-known address no ID token can be verified, and the user endpoint names the user. */
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

  /** The metadata; undefined without a well-known address. Endpoints that were set by hand replace the provider's.
   *  @throws auth_oidc.undiscovered */
  async metadata(): Promise<Metadata | undefined> {
    return (await this.found())?.metadata
  }

  /** The metadata with the issuer in the form that identities are stored with.
   *  @throws auth_oidc.undiscovered */
  async found(): Promise<{ metadata: Metadata; issuer: string } | undefined> {
    const address = this.#option('oidc.well_known')
    if (address === '') return undefined
    const discovered = await this.#known(address)
    const metadata = { ...discovered, ...this.#setByHand() }
    const issuer = provenIssuer(discovered.issuer, address)
    const { token_endpoint: tokens } = metadata
    // Another token endpoint could return what the provider has signed for somebody elsewhere, so its address becomes
    // part of the issuer.
    const isItsOwn = tokens === discovered.token_endpoint
    return { metadata, issuer: this.#ofClient(isItsOwn ? issuer : `${issuer} by ${tokens}`) }
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

  /** An endpoint that was set by hand or discovered; empty until it is discovered. */
  authorizationEndpoint(): string {
    const byHand = this.#option('oidc.authorization_endpoint')
    return byHand || this.#kept?.metadata.authorization_endpoint || ''
  }

  /** Identifies the provider: the address of its metadata, or the user endpoint of a provider that speaks OAuth 2.0
   *  only. */
  configuredIssuer(): string {
    if (this.clientId === '') return ''
    const address = this.#option('oidc.well_known')
    return address === '' ? this.issuerByHand() : this.#ofClient(`at ${prefixOf(address)}`)
  }

  /** @throws auth_oidc.undiscovered */
  async issuer(): Promise<string> {
    return (await this.found())?.issuer ?? this.issuerByHand()
  }

  /** Of a provider that speaks OAuth 2.0 only. */
  issuerByHand(): string {
    const endpoint = this.#option('oidc.user_info_endpoint')
    return endpoint === '' ? '' : this.#ofClient(endpoint)
  }

  #ofClient(issuer: string): string {
    return clientIssuer(issuer, this.clientId)
  }

  forget(): void {
    this.#kept = undefined
    this.warmUp()
  }

  /** Fetches the metadata early, so that `/api/status` has the address of the provider's page before the first
   *  sign-in. */
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
    if (kept?.address === address && performance.now() - kept.atMs < KEPT_MS) return kept.metadata
    const metadata = await this.discover(address)
    this.#kept = { address, metadata, atMs: performance.now() }
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

/** The origin and path of the issuer for an address of the usual form; any other address is used as a whole, because
 *  another path is another issuer. */
function prefixOf(address: string): string {
  return address.endsWith(WELL_KNOWN) ? address.slice(0, -WELL_KNOWN.length) : address
}

/** A host may claim to be any issuer. The name is taken alone only if the address implies it (OpenID Connect
 *  Discovery 1.0, section 4.3); otherwise the address becomes part of it. */
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

/** Removes the full stop of a sentence that becomes part of another one. */
function reasonOf(error: unknown): string | Text {
  if (!(error instanceof AppError)) {
    return (error instanceof Error ? error.message : String(error)).slice(0, 200)
  }
  const inWords = (language: keyof Text) => error.messageIn(language).replace(/[.。]$/, '')
  return { en: inWords('en'), zh: inWords('zh') }
}
