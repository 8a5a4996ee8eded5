import type { Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { Trust } from './addresses/host-names.ts'
import { openTunnel, parseProxy, type Proxy } from './proxy-tunnel.ts'
import type { SsrfGuard } from './addresses/ssrf-guard.ts'

const connectTimeoutMs = 10_000

export type Connector = buildConnector.connector

/** Creates the function that opens connections to an origin, directly or through a proxy. It connects only to addresses
 *  that the guard has checked.
 *  @throws net.invalid_proxy */
export function createConnector(
  guard: SsrfGuard,
  way: { trust: Trust; proxy: string | undefined },
): Connector {
  const direct = buildConnector({
    timeout: connectTimeoutMs,
    // Back-pressure and time-outs of streams rely on one request at a time per connection.
    allowH2: false,
    lookup: guard.lookup(way.trust),
  })
  if (!way.proxy) return direct
  const proxy = parseProxy(way.proxy)
  return (options, callback) => {
    tunnelTo(guard, way.trust, proxy, options).then(
      (socket) => {
        if (options.protocol === 'https:') direct({ ...options, httpSocket: socket }, callback)
        else callback(null, socket)
      },
      (error: Error) => callback(error, null),
    )
  }
}

/** A host that an admin named is passed to the proxy by name, because the proxy may know names that this machine cannot
 *  resolve. A host that a user named is resolved and checked here, and the proxy gets the address, so it cannot be led
 *  to another one. */
async function tunnelTo(
  guard: SsrfGuard,
  trust: Trust,
  proxy: Proxy,
  target: buildConnector.Options,
): Promise<Socket> {
  const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
  guard.checkHost(proxy.host, 'admin')
  let host = target.hostname
  if (trust === 'user') host = (await guard.resolve(host, trust))[0]?.address ?? host
  return openTunnel(proxy, { host, port }, guard.lookup('admin'), connectTimeoutMs)
}

/** Opens a connection outside of any pool, for WebSockets. */
export function dial(connector: Connector, url: URL): Promise<Socket> {
  const isSecure = url.protocol === 'https:' || url.protocol === 'wss:'
  return new Promise((resolve, reject) => {
    connector(
      {
        protocol: isSecure ? 'https:' : 'http:',
        host: url.host,
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port,
      },
      (error, socket) => {
        if (error) reject(error)
        else if (socket) resolve(socket)
      },
    )
  })
}
