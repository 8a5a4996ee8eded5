// The HTTP client of a plugin that names the hosts it calls: requests may only go to these, and so may each redirect.
import type {
  HttpClient,
  HttpOptions,
  UpstreamRequest,
  UpstreamResponse,
} from '../contract/http-client.ts'
import { errorType } from '../contract/errors.ts'
import { netTooManyRedirects } from './net-errors.ts'
import { redirectedRequest } from './redirects.ts'

const hostNotNamed = errorType<{ host: string }>('net.host_not_named', 403, {
  en: 'This plugin does not name {host} among the hosts that it calls.',
  zh: '此插件未将 {host} 列入其访问的主机。',
})

const defaultPorts: Readonly<Record<string, string>> = {
  'http:': '80',
  'ws:': '80',
  'https:': '443',
  'wss:': '443',
}

/** @param hosts `name`, or `*.name` for all of its subdomains, either with an optional `:port` */
export function limitedClient(
  http: HttpClient,
  hosts: readonly string[],
): Pick<HttpClient, 'request' | 'json' | 'webSocket'> {
  const check = (address: string): void => {
    const url = URL.parse(address)
    // The client itself refuses invalid addresses, with its own message.
    if (url && !hosts.some((host) => isNamed(url, host))) throw hostNotNamed({ host: url.host })
  }
  const follow = async <T extends Pick<UpstreamResponse, 'status' | 'headers'>>(
    input: UpstreamRequest,
    hops: number,
    send: (request: UpstreamRequest) => Promise<T>,
  ): Promise<T> => {
    let current = input
    for (let hop = 0; hop <= hops; hop += 1) {
      check(current.url)
      const response = await send(current)
      const next = hops > 0 ? redirectedRequest(current, response) : undefined
      if (next === undefined) return response
      await endOf(response)
      current = next
    }
    throw netTooManyRedirects()
  }
  const straight = <T extends HttpOptions>(options: T): T => ({ ...options, maxRedirects: 0 })
  return {
    request: (input, options = {}) =>
      follow(input, options.maxRedirects ?? 0, (request) =>
        http.request(request, straight(options)),
      ),
    json: (input, options = {}) =>
      follow(input, options.maxRedirects ?? 0, (request) => http.json(request, straight(options))),
    webSocket: async (address, options) => {
      check(address)
      return http.webSocket(address, options)
    },
  }
}

function isNamed({ hostname, port, protocol }: URL, named: string): boolean {
  const [name = '', ofPort] = named.split(':', 2)
  if (ofPort !== undefined && ofPort !== (port || defaultPorts[protocol])) return false
  return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name
}

async function endOf(response: object): Promise<void> {
  if (!('body' in response)) return
  const body = response.body as Partial<AsyncIterable<Uint8Array>> | undefined
  await body?.[Symbol.asyncIterator]?.().return?.()
}
