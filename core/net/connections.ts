import type { Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { Trust } from './addresses/host-names.ts'
import { openTunnel, parseProxy, type Proxy } from './proxy-tunnel.ts'
import type { SsrfGuard } from './addresses/ssrf-guard.ts'

const connectTimeoutMs = 10_000

export type Connector = buildConnector.connector

/** How a connection to an origin is opened: directly or through a proxy, always to addresses that the guard has looked at.
 *  @throws net.invalid_proxy */
export function createConnector(
  guard: SsrfGuard,
  way: { trust: Trust; proxy: string | undefined },
): Connector {
  const direct = buildConnector({
    timeout: connectTimeoutMs,
    // One request a connection at a time is what back-pressure and time-outs of streams are built on.
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

/** An admin's target is named to the proxy, which may know names that this machine cannot resolve. A user's target is resolved
 *  and judged here, and the proxy is given the address: it cannot be sent to another one. */
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

/** Opens one connection outside any pool, for WebSockets. */
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
