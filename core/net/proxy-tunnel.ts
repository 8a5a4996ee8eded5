import { request as requestPlain, type IncomingMessage } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIPv6, type LookupFunction, type Socket } from 'node:net'
import { SocksClient } from 'socks'
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

const kinds: Readonly<Record<string, { kind: Proxy['kind']; port: number }>> = {
  'http:': { kind: 'http', port: 80 },
  'https:': { kind: 'https', port: 443 },
  'socks5:': { kind: 'socks5', port: 1080 },
  'socks5h:': { kind: 'socks5', port: 1080 },
}

/** @throws net.invalid_proxy, without the address: it holds a password */
export function parseProxy(text: string): Proxy {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const kind = kinds[url?.protocol ?? '']
  if (url === undefined || kind === undefined || url.hostname === '') {
    throw netInvalidProxy()
  }
  return {
    kind: kind.kind,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || kind.port,
    username: decoded(url.username),
    password: decoded(url.password),
  }
}

/** A bare `%` stands for itself: passwords are typed as they are. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A socket whose other end is the target, the proxy in between. Rejects with an error that has a `code`. */
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
      // socks hands these to net.connect together with host and port.
      socket_options: { lookup } as never,
    })
    socket.resume()
    return socket
  } catch (cause) {
    throw socksFailure(cause)
  }
}

/** The library's errors have words, but no codes. */
function socksFailure(cause: unknown): Error {
  const { code, message } = cause as NodeJS.ErrnoException
  const isTimeout = /timed out/i.test(message)
  return code === undefined
    ? tunnelError(isTimeout ? 'ETIMEDOUT' : 'PROXY_REFUSED', cause)
    : (cause as Error)
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
    // A proxy that does not know CONNECT answers like a web server.
    request.once('response', (response) => {
      request.destroy(tunnelError(`PROXY_${response.statusCode}`))
    })
    request.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
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
