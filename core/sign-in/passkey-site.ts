// Where a passkey may be used: its domain (the relying party's id) and the origins of the console.
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { passkeyNeedsDomain, passkeyOtherHost } from './passkey-errors.ts'

export interface PasskeySite {
  rpId: string
  origins: string[]
}

/** The site is that of ServerAddress. While that option is empty, it is the host that the browser called: browsers
 *  report it truthfully, and over plain http they only create passkeys for `localhost`. The scheme may be that of a
 *  proxy in between.
 *  @throws passkey.needs_domain, passkey.other_host */
export function passkeySiteOf(request: FastifyRequest, serverAddress: string): PasskeySite {
  if (!URL.canParse(serverAddress)) {
    const { host } = request
    const called = `https://${host}`
    const rpId = domainOf(URL.canParse(called) ? new URL(called).hostname : host)
    return { rpId, origins: [`https://${host.toLowerCase()}`, `http://${host.toLowerCase()}`] }
  }
  const { origin, hostname } = new URL(serverAddress)
  const rpId = domainOf(hostname)
  const page = request.headers.origin ?? ''
  // Refused here because the browser's own error would not name the right address.
  if (URL.canParse(page) && new URL(page).origin !== origin)
    throw passkeyOtherHost({ address: origin })
  return { rpId, origins: [origin] }
}

function domainOf(hostname: string): string {
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) throw passkeyNeedsDomain({ host: hostname })
  return hostname.toLowerCase()
}
