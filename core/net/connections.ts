import type { Socket } from 'node:net'
import { buildConnector } from 'undici'
import { withoutBrackets } from './addresses/addresses.ts'
import type { Trust } from './addresses/host-names.ts'
import { firstConnection } from './first-connection.ts'
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
  const secure = buildConnector({
    timeout: connectTimeoutMs,
    // Back-pressure and time-outs of streams rely on one request at a time per connection.
    allowH2: false,
  })
  const proxy = way.proxy ? parseProxy(way.proxy) : undefined
  return (options, callback) => {
    const opened = proxy
      ? tunnelTo(guard, way.trust, proxy, options)
      : directTo(guard, way.trust, options)
    opened.then(
      (socket) => {
        if (options.protocol === 'https:') secure({ ...options, httpSocket: socket }, callback)
        else callback(null, socket)
      },
      (error: Error) => callback(error, null),
    )
  }
}

/** @throws Error with the code ETIMEDOUT where neither name nor address answers in time */
async function directTo(
  guard: SsrfGuard,
  trust: Trust,
  target: buildConnector.Options,
): Promise<Socket> {
  const late = new AbortController()
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = Object.assign(new Error('No address answered.'), { code: 'ETIMEDOUT' })
    late.abort(error)
    reject(error)
  }, connectTimeoutMs)
  try {
    const addresses = await Promise.race([guard.resolve(target.hostname, trust), tooLate])
    return await firstConnection(addresses, portOf(target), late.signal)
  } finally {
    clearTimeout(timer)
  }
}

function portOf({ port, protocol }: buildConnector.Options): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
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
  guard.checkHost(proxy.host, 'admin')
  let host = target.hostname
  if (trust === 'user') host = (await guard.resolve(host, trust))[0]?.address ?? host
  return openTunnel(proxy, { host, port: portOf(target) }, guard.lookup('admin'), connectTimeoutMs)
}

/** Opens a connection outside of any pool, for WebSockets. */
export function dial(connector: Connector, url: URL): Promise<Socket> {
  const isSecure = url.protocol === 'https:' || url.protocol === 'wss:'
  return new Promise((resolve, reject) => {
    connector(
      {
        protocol: isSecure ? 'https:' : 'http:',
        host: url.host,
        hostname: withoutBrackets(url.hostname),
        port: url.port,
      },
      (error, socket) => {
        if (error) reject(error)
        else if (socket) resolve(socket)
      },
    )
  })
}
