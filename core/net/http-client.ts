import { LRUCache } from 'lru-cache'
import type {
  HttpClient,
  HttpOptions,
  UpstreamRequest,
  UpstreamResponse,
} from '../contract/http-client.ts'
import { withoutMark } from '../wire/byte-order-mark.ts'
import { parseLoosely } from '../wire/parse-loosely.ts'
import { closeBody } from './close-body.ts'
import { createConnector, dial } from './connections.ts'
import { exchange } from './exchange.ts'
import { hopHeader } from './hop-header.ts'
import { HostNames, type Resolve, type Trust } from './addresses/host-names.ts'
import { inflated } from './inflate.ts'
import { OriginPool } from './http1/origin-pool.ts'
import { encodeForm } from './multipart.ts'
import { netAnswerTooLarge, netError, netInvalidUrl, netTooManyRedirects } from './net-errors.ts'
import { redirectedRequest } from './redirects.ts'
import { SsrfGuard } from './addresses/ssrf-guard.ts'
import { openWebSocket } from './web-socket.ts'

/** The most origins that have pools at the same time, because users can name any number of origins. */
const maxPools = 500
/** Addresses that are remembered. Some name a response or a task and are asked for once, so all are forgotten when they are too many. */
const maxTargets = 1_000
const longestTarget = 500
const firstByteTimeoutMs = 600_000
const idleTimeoutMs = 300_000
const maxJsonBytes = 10 * 1024 * 1024

/** Bounds what answers take together: each has a share from its first byte until it has been parsed. */
interface AnswerRoom {
  /** `take` throws if there is no room. */
  open(): { take(bytes: number): void; close(): void }
}

export interface HttpClientDependencies {
  /** CIDR ranges that user-named URLs may reach (SSRF_ALLOW). */
  ssrfAllow: readonly string[]
  /** Default: the system's. */
  resolve?: Resolve
  /** Where answers that are read as a whole are counted together; default: nowhere. */
  answers?: AnswerRoom
  /** How long an answer of `resolve` is used; default 5 s. */
  rememberDnsMs?: number
}

export function createHttpClient(
  dependencies: HttpClientDependencies,
): HttpClient & { close(): Promise<void> } {
  const guard = new SsrfGuard(dependencies.ssrfAllow, new HostNames(dependencies))
  const pools = new PoolSet(guard)

  const request = (input: UpstreamRequest, options: HttpOptions = {}): Promise<UpstreamResponse> =>
    options.maxRedirects ? follow(pools, input, options) : send(pools, input, options)

  return {
    request,
    json: async (input, options = {}) => {
      const { status, headers, body } = await request(input, options)
      const share = dependencies.answers?.open()
      try {
        const bytes = await readBytes(body, options.maxBytes ?? maxJsonBytes, share)
        return { status, headers, body: parseLoosely(withoutMark(bytes).toString('utf8')) }
      } finally {
        share?.close()
      }
    },
    webSocket: async (address, options = {}) => {
      const url = parseUrl(address, ['ws:', 'wss:', 'http:', 'https:'])
      const trust = options.trust ?? 'admin'
      guard.checkHost(url.hostname, trust)
      const connector = createConnector(guard, { trust, proxy: options.proxy })
      const socket = await dial(connector, url).catch((error: unknown) => {
        throw netError(error, 'connect')
      })
      const headers = headersFor(url.host, options.headers ?? {}, options)
      return openWebSocket(socket, url, { ...options, headers })
    },
    close: async () => pools.destroy(),
  }
}

/** Where a request goes. */
interface Target {
  readonly proxy: string | undefined
  readonly pool: OriginPool
  readonly path: string
  readonly host: string
}

/** Pools by origin and by the way to it. A connection made for one kind of trust, or through one proxy, never serves another. */
class PoolSet {
  readonly #guard: SsrfGuard
  readonly #pools: LRUCache<string, OriginPool>
  /** The addresses of admins: most calls go to a few of them, and reading one costs more than writing the request. */
  readonly #targets = new Map<string, Target>()

  constructor(guard: SsrfGuard) {
    this.#guard = guard
    this.#pools = new LRUCache({
      max: maxPools,
      // Requests that are running in an evicted pool still end; the pool only accepts no new ones.
      dispose: (pool) => {
        pool.close()
        this.#targets.clear()
      },
    })
  }

  /** @throws net.invalid_url, net.forbidden_address, net.invalid_proxy */
  targetOf(address: string, trust: Trust, proxy: string | undefined): Target {
    const known = trust === 'admin' ? this.#targets.get(address) : undefined
    if (known !== undefined && known.proxy === proxy) return known
    const url = parseUrl(address, ['http:', 'https:'])
    const pool = this.#poolFor(url, trust, proxy)
    const target = { proxy, pool, path: url.pathname + url.search, host: url.host }
    if (trust === 'admin' && address.length <= longestTarget) {
      if (this.#targets.size >= maxTargets) this.#targets.clear()
      this.#targets.set(address, target)
    }
    return target
  }

  #poolFor(url: URL, trust: Trust, proxy: string | undefined): OriginPool {
    const key = `${trust} ${proxy ?? ''} ${url.origin}`
    let pool = this.#pools.get(key)
    if (pool === undefined) {
      this.#guard.checkHost(url.hostname, trust)
      const connector = createConnector(this.#guard, { trust, proxy })
      pool = new OriginPool(() => dial(connector, url), url.protocol === 'https:')
      this.#pools.set(key, pool)
    }
    return pool
  }

  destroy(): void {
    for (const pool of this.#pools.values()) pool.destroy()
    this.#pools.clear()
  }
}

async function send(
  pools: PoolSet,
  input: UpstreamRequest,
  options: HttpOptions,
): Promise<UpstreamResponse> {
  const { pool, path, host } = pools.targetOf(input.url, options.trust ?? 'admin', options.proxy)
  const { headers, body } = encodeBody(input, headersFor(host, input.headers, options))
  const response = await exchange(
    pool,
    {
      method: input.method,
      path,
      host,
      headers,
      body,
      headTimeoutMs: options.firstByteTimeoutMs ?? firstByteTimeoutMs,
      idleTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMs,
      unreadTimeoutMs: options.unreadTimeoutMs ?? 0,
    },
    options.signal,
  )
  return inflated(response)
}

async function follow(
  pools: PoolSet,
  input: UpstreamRequest,
  options: HttpOptions,
): Promise<UpstreamResponse> {
  let current = input
  for (let hop = 0; hop <= (options.maxRedirects ?? 0); hop += 1) {
    const response = await send(pools, current, options)
    const next = redirectedRequest(current, response)
    if (next === undefined) return response
    await closeBody(response)
    current = next
  }
  throw netTooManyRedirects()
}

function parseUrl(address: string, protocols: readonly string[]): URL {
  const url = URL.parse(address)
  if (url === null || !protocols.includes(url.protocol)) throw netInvalidUrl()
  return url
}

/** The headers of a request with those that the channel has for this host in place of its own, and the hops. */
function headersFor(
  host: string,
  own: Record<string, string>,
  { channelHeaders, hops }: HttpOptions,
): Record<string, string> {
  const headers = channelHeaders?.host === host ? replaced(own, channelHeaders.headers) : own
  return hops === undefined ? headers : { ...headers, [hopHeader]: hops }
}

function replaced(own: Record<string, string>, others: Readonly<Record<string, string>>) {
  const kept = Object.entries(own).filter(([name]) => !Object.hasOwn(others, name.toLowerCase()))
  return { ...Object.fromEntries(kept), ...others }
}

function encodeBody(
  { body }: UpstreamRequest,
  headers: Record<string, string>,
): {
  headers: Record<string, string>
  body: string | Uint8Array | undefined
} {
  if (!Array.isArray(body)) return { headers, body }
  const form = encodeForm(body)
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type')
  return {
    headers: { ...Object.fromEntries(others), 'content-type': form.contentType },
    body: form.body,
  }
}

/** @throws net.answer_too_large, without reading the rest */
async function readBytes(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  share: { take(bytes: number): void } | undefined,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw netAnswerTooLarge({ maxBytes })
    share?.take(chunk.length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
