// A certified OpenID Connect provider (npm oidc-provider) on a local port, whose users agree to everything.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import OidcProvider from 'oidc-provider'

export interface OidcPerson {
  sub: string
  [claim: string]: unknown
}

export interface CertifiedOidc {
  readonly url: string
  /** The user at the provider's page. */
  person: OidcPerson
  /** Follows the provider's pages as a browser does.
   *  @returns the address that the provider finally redirects to */
  visit(authorizeUrl: string): Promise<URL>
  close(): Promise<void>
}

export async function certifiedOidc(clients: readonly object[]): Promise<CertifiedOidc> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people = new Map<string, OidcPerson>()
  const provider = new OidcProvider(url, configurationFor(clients, people))
  const serve = provider.callback()
  const self: CertifiedOidc = {
    url,
    person: { sub: 'nobody' },
    visit: (authorizeUrl) => visit(authorizeUrl, url),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  handle = (request, response) => {
    if (!request.url?.startsWith('/agree/')) return serve(request, response)
    people.set(self.person.sub, self.person)
    agree(provider, self.person.sub, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  }
  return self
}

function configurationFor(clients: readonly object[], people: ReadonlyMap<string, OidcPerson>) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    clients,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['only for tests'] },
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
    },
    ttl: { Interaction: 600, Session: 600, Grant: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/agree/${uid}` },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => people.get(sub) ?? { sub },
    }),
  }
}

async function agree(
  provider: OidcProvider,
  accountId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId } })
  const grant = new provider.Grant({ accountId, clientId: params['client_id'] ?? '' })
  grant.addOIDCScope(params['scope'] ?? '')
  return provider.interactionFinished(request, response, {
    consent: { grantId: await grant.save() },
  })
}

async function visit(address: string, site: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = address
  for (let hops = 0; hops < 10; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s)
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${next}: ${response.status} ${await response.text()}`)
    next = new URL(location, next).href
    if (!next.startsWith(site)) return new URL(next)
  }
  throw new Error(`${address} leads nowhere`)
}
