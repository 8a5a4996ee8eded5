// Load over raw sockets: one request a connection at a time, answers counted and timed, nothing parsed that need not be.
import { type Socket, connect } from 'node:net'
import { type Aim, keyHeaders } from './targets.ts'

export interface LoadOptions {
  connections: number
  seconds: number
  /** Requests a second over all connections; without it each connection asks again at once. */
  rate?: number
  /** Ends it before its seconds are over. */
  signal?: AbortSignal
}

export interface LoadResult {
  count: number
  requestsPerSecond: number
  /** Milliseconds from a request to the first byte of its answer. */
  firstByte: { p50: number; p99: number }
  /** Answers with another status than 200, and broken connections. */
  failures: number
}

export async function load(aim: Aim, options: LoadOptions): Promise<LoadResult> {
  const { hostname, port, host } = new URL(aim.url)
  const requests = (aim.keys ?? [undefined]).map((key) => requestBytes(aim, host, key))
  const begin = performance.now()
  const tally: Tally = {
    requests,
    // Windows are many loads, of which none should ask the first customers alone.
    sent: Math.floor(Math.random() * requests.length),
    count: 0,
    firstBytes: [],
    failures: 0,
    endsAt: begin + options.seconds * 1000,
    intervalMs: options.rate === undefined ? 0 : (options.connections / options.rate) * 1000,
  }
  options.signal?.addEventListener('abort', () => {
    tally.endsAt = 0
  })
  await Promise.all(
    Array.from({ length: options.connections }, (_, index) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      const firstAt = begin + (tally.intervalMs * index) / options.connections
      return new Connection(socket, tally, firstAt).done
    }),
  )
  const elapsedSeconds = (performance.now() - begin) / 1000
  const sorted = tally.firstBytes.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return {
    count: tally.count,
    requestsPerSecond: tally.count / elapsedSeconds,
    firstByte: { p50: at(0.5), p99: at(0.99) },
    failures: tally.failures,
  }
}

interface Tally {
  /** Sent in turn. */
  requests: readonly Buffer[]
  sent: number
  count: number
  firstBytes: number[]
  failures: number
  endsAt: number
  /** Between two requests of one connection; 0: at once. */
  intervalMs: number
}

function requestBytes({ path, headers, body }: Aim, host: string, key?: string): Buffer {
  const lines = Object.entries({
    host,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
    ...(key === undefined ? {} : keyHeaders(key)),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

const lastChunk = Buffer.from('0\r\n\r\n')

class Connection {
  readonly done: Promise<void>
  readonly #socket: Socket
  readonly #tally: Tally
  #dueAt: number
  #sentAt = 0
  #head = ''
  /** Bytes of the body still to come; Infinity while chunks come. */
  #remaining = -1
  #tail: Buffer = Buffer.alloc(0)

  constructor(socket: Socket, tally: Tally, firstAt: number) {
    this.#socket = socket
    this.#tally = tally
    this.#dueAt = firstAt
    this.done = new Promise((resolve) => {
      socket.on('close', () => resolve())
      socket.on('error', () => tally.failures++)
    })
    socket.on('connect', () => this.#wait())
    socket.on('data', (data) => this.#read(data))
  }

  #wait(): void {
    const now = performance.now()
    if (now >= this.#tally.endsAt) return void this.#socket.destroy()
    if (this.#dueAt <= now) return this.#send(this.#tally.intervalMs === 0 ? now : this.#dueAt)
    // A timer is late by up to a millisecond; that is the load's fault and not in the figure.
    setTimeout(() => this.#send(performance.now()), this.#dueAt - now)
  }

  /** @param since a request whose connection was still busy has waited since it was due */
  #send(since: number): void {
    this.#head = ''
    this.#remaining = -1
    this.#tail = Buffer.alloc(0)
    this.#sentAt = since
    this.#dueAt += this.#tally.intervalMs
    const { requests, sent } = this.#tally
    this.#tally.sent += 1
    this.#socket.write(requests[sent % requests.length] as Buffer)
  }

  #read(data: Buffer): void {
    if (this.#remaining === -1 && this.#head === '')
      this.#tally.firstBytes.push(performance.now() - this.#sentAt)
    const body = this.#remaining === -1 ? this.#readHead(data) : data
    if (body === undefined) return
    if (this.#remaining === Number.POSITIVE_INFINITY) {
      const end = Buffer.concat([this.#tail, body.subarray(-lastChunk.length)])
      this.#tail = end.subarray(-lastChunk.length)
      if (this.#tail.equals(lastChunk)) this.#finish()
      return
    }
    this.#remaining -= body.length
    if (this.#remaining <= 0) this.#finish()
  }

  /** The part after the head; undefined while the head is not complete. */
  #readHead(data: Buffer): Buffer | undefined {
    this.#head += data.toString('latin1')
    const end = this.#head.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const head = this.#head.slice(0, end)
    const rest = Buffer.from(this.#head.slice(end + 4), 'latin1')
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    this.#remaining = length === undefined ? Number.POSITIVE_INFINITY : Number(length)
    if (!head.startsWith('HTTP/1.1 200')) this.#tally.failures++
    return rest
  }

  #finish(): void {
    this.#tally.count += 1
    this.#wait()
  }
}
