import type { FastifyRequest } from 'fastify'
import { errorType } from '../../contract/errors.ts'
import { asksForWebSocket } from '../upgrades.ts'

const crossSite = errorType<{ origin: string }>('request.cross_site', 403, {
  en: 'This call came from another site ({origin}). If that is an address of this gateway, set it as ServerAddress.',
  zh: '该请求来自其他站点（{origin}）。如其为本网关的地址，请将其设为 ServerAddress。',
})

/** They change nothing (RFC 9110, 9.2.1). */
export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

const foreignLink = errorType('request.foreign_link', 403, {
  en: 'This address must be opened from the console itself, not from a link.',
  zh: '请在控制台内进行此操作，不能通过外部链接打开。',
})

/** Refuses requests that another site started: a link must not sign anybody in as somebody else, nor bind a stranger's
 *  identity to his account. Over plain http browsers do not say who opened a page; then the Referer decides, and
 *  without one the request counts as started elsewhere.
 *  @throws request.foreign_link */
export function refuseForeignLinks(request: FastifyRequest, serverAddress: string): void {
  const { referer, accept = '' } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site === 'same-origin') return
  if (site === undefined) {
    const origin = originOf(referer ?? '')
    const isOwn = origin === originOf(serverAddress) || isOfHost(request, origin)
    if (origin !== undefined && isOwn) return
    // Programs have no cookies that another site could misuse, and do not ask for HTML.
    if (origin === undefined && !accept.includes('text/html')) return
  }
  throw foreignLink()
}

/** The schemes may differ, because a proxy in between may speak another one. */
function isOfHost({ host }: FastifyRequest, origin: string | undefined): boolean {
  return origin?.split('://')[1]?.toLowerCase() === host.toLowerCase()
}

/** Refuses calls from pages of other sites. Browsers say which page a call comes from; programs do not, and have no
 *  cookies that another site could misuse. A handshake of a WebSocket counts as a change although it is a GET: browsers
 *  send cookies with it from any port and subdomain of the site, and its page may read what comes.
 *  @throws request.cross_site */
export function refuseOtherSites(request: FastifyRequest, serverAddress: string): void {
  const isSocket = asksForWebSocket(request.raw)
  if (safeMethods.has(request.method) && !isSocket) return
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return
  if (site === undefined && origin === undefined) return
  if (origin !== undefined && origin === originOf(serverAddress)) return
  // Without Sec-Fetch-Site (plain http, older browsers) the hosts are compared, and for handshakes, of which not every
  // browser says it alike.
  const isCompared = site === undefined || isSocket
  if (isCompared && isOfHost(request, origin)) return
  throw crossSite({ origin: (origin ?? String(site)).slice(0, 100) })
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined
}
