import { request as requestPlain, type IncomingMessage } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIPv6, type LookupFunction, type Socket } from 'node:net'
import { withoutBrackets } from './addresses/addresses.ts'
import { netInvalidProxy } from './net-errors.ts'

export interface Proxy {
  kind: 'http' | 'https' | 'socks5'
  host: string
  port: number
  username: string
  password: string
}

interface Target {
  host: string
  port: number
}

const kinds: Readonly<Record<string, Pick<Proxy, 'kind' | 'port'>>> = {
  'http:': { kind: 'http', port: 80 },
  'https:': { kind: 'https', port: 443 },
  'socks5:': { kind: 'socks5', port: 1080 },
  'socks5h:': { kind: 'socks5', port: 1080 },
}

/** Whether `parseProxy` accepts it. */
export function isProxyAddress(text: string): boolean {
  return URL.canParse(text) && readProxy(new URL(text)) !== undefined
}

/** @throws net.invalid_proxy, without the address, because it contains a password */
export function parseProxy(text: string): Proxy {
  const proxy = URL.canParse(text) ? readProxy(new URL(text)) : undefined
  if (proxy === undefined) throw netInvalidProxy()
  return proxy
}

function readProxy(url: URL): Proxy | undefined {
  const kind = kinds[url.protocol]
  if (kind === undefined || url.hostname === '') return undefined
  return {
    kind: kind.kind,
    host: withoutBrackets(url.hostname),
    port: Number(url.port) || kind.port,
    username: decoded(url.username),
    password: decoded(url.password),
  }
}

/** A `%` that begins no escape stands for itself, because people enter passwords as they are. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Opens a connection to the target through the proxy. Rejects with an error that has a `code`. */
export function openTunnel(
  proxy: Proxy,
  target: Target,
  lookup: LookupFunction,
  timeoutMs: number,
): Promise<Socket> {
  return proxy.kind === 'socks5'
    ? throughSocks(proxy, target, lookup, timeoutMs)
    : throughConnect(proxy, target, lookup, timeoutMs)
}

async function throughSocks(
  proxy: Proxy,
  target: Target,
  lookup: LookupFunction,
  timeoutMs: number,
): Promise<Socket> {
  const { SocksClient } = await import('socks')
  try {
    const { socket } = await SocksClient.createConnection({
      command: 'connect',
      destination: target,
      proxy: {
        host: proxy.host,
        port: proxy.port,
        type: 5,
        ...(proxy.username === '' ? {} : { userId: proxy.username, password: proxy.password }),
      },
      timeout: timeoutMs,
      // The socks package passes these options to net.connect, together with host and port.
      socket_options: { lookup } as never,
    })
    socket.resume()
    return socket
  } catch (cause) {
    throw socksFailure(cause)
  }
}

/** The package's errors have messages but no codes. If a socket caused one, its message begins with Node's ("connect
 *  ECONNREFUSED 127.0.0.1:1080"). */
function socksFailure(cause: unknown): Error {
  const { message } = cause as Error
  if (/timed out/i.test(message)) return tunnelError('ETIMEDOUT', cause)
  const code = /^[a-z]+ (E[A-Z]+)\b/.exec(message)?.[1]
  return code === undefined
    ? tunnelError('PROXY_REFUSED', cause)
    : dialFailure(Object.assign(new Error(message, { cause }), { code }))
}

/** Marks the code, so that operators look for the fault at the proxy's address, not at the upstream's. */
function dialFailure(cause: NodeJS.ErrnoException): Error {
  const { code } = cause
  return code === undefined || code === 'ETIMEDOUT' ? cause : tunnelError(`PROXY_${code}`, cause)
}

/** RFC 9110 section 9.3.6. */
function throughConnect(
  proxy: Proxy,
  target: Target,
  lookup: LookupFunction,
  timeoutMs: number,
): Promise<Socket> {
  const authority = `${isIPv6(target.host) ? `[${target.host}]` : target.host}:${target.port}`
  return new Promise((resolve, reject) => {
    const request = (proxy.kind === 'https' ? requestSecure : requestPlain)({
      method: 'CONNECT',
      host: proxy.host,
      port: proxy.port,
      path: authority,
      headers: { host: authority, ...credentials(proxy) },
      lookup,
      agent: false,
    })
    const timer = setTimeout(() => request.destroy(tunnelError('ETIMEDOUT')), timeoutMs)
    request.once('connect', (response: IncomingMessage, socket: Socket, head: Buffer) => {
      clearTimeout(timer)
      if (response.statusCode === 200) {
        if (head.length > 0) socket.unshift(head)
        resolve(socket)
      } else {
        socket.destroy()
        reject(tunnelError(`PROXY_${response.statusCode}`))
      }
    })
    // A proxy that does not support CONNECT answers like a web server.
    request.once('response', (response) => {
      request.destroy(tunnelError(`PROXY_${response.statusCode}`))
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      reject(error.code?.startsWith('PROXY_') ? error : dialFailure(error))
    })
    request.end()
  })
}

function credentials(proxy: Proxy): Record<string, string> {
  if (proxy.username === '' && proxy.password === '') return {}
  const pair = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')
  return { 'proxy-authorization': `Basic ${pair}` }
}

function tunnelError(code: string, cause?: unknown): Error {
  return Object.assign(new Error(`The proxy failed (${code}).`, { cause }), { code })
}
