// Load over raw sockets: one request a connection at a time, answers counted and timed, nothing parsed that need not be.
import { type Socket, connect } from 'node:net'

export interface LoadOptions {
  url: string
  path: string
  headers: Record<string, string>
  body: string
  connections: number
  seconds: number
}

export interface LoadResult {
  requestsPerSecond: number
  /** Milliseconds. */
  medianLatency: number
  p99Latency: number
  /** Answers with another status than 200, and broken connections. */
  failures: number
}

export async function load(options: LoadOptions): Promise<LoadResult> {
  const { hostname, port, host } = new URL(options.url)
  const request = requestBytes(options, host)
  const tally: Tally = {
    latencies: [],
    failures: 0,
    endsAt: performance.now() + options.seconds * 1000,
  }
  const begin = performance.now()
  await Promise.all(
    Array.from({ length: options.connections }, () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      return new Connection(socket, request, tally).done
    }),
  )
  const elapsedSeconds = (performance.now() - begin) / 1000
  const sorted = tally.latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return {
    requestsPerSecond: sorted.length / elapsedSeconds,
    medianLatency: at(0.5),
    p99Latency: at(0.99),
    failures: tally.failures,
  }
}

interface Tally {
  latencies: number[]
  failures: number
  endsAt: number
}

function requestBytes({ path, headers, body }: LoadOptions, host: string): Buffer {
  const lines = Object.entries({
    host,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

const lastChunk = Buffer.from('0\r\n\r\n')

class Connection {
  readonly done: Promise<void>
  readonly #socket: Socket
  readonly #request: Buffer
  readonly #tally: Tally
  #sentAt = 0
  #head = ''
  /** Bytes of the body still to come; Infinity while chunks come. */
  #remaining = -1
  #tail: Buffer = Buffer.alloc(0)

  constructor(socket: Socket, request: Buffer, tally: Tally) {
    this.#socket = socket
    this.#request = request
    this.#tally = tally
    this.done = new Promise((resolve) => {
      socket.on('close', () => resolve())
      socket.on('error', () => tally.failures++)
    })
    socket.on('connect', () => this.#send())
    socket.on('data', (data) => this.#read(data))
  }

  #send(): void {
    if (performance.now() >= this.#tally.endsAt) {
      this.#socket.destroy()
      return
    }
    this.#head = ''
    this.#remaining = -1
    this.#tail = Buffer.alloc(0)
    this.#sentAt = performance.now()
    this.#socket.write(this.#request)
  }

  #read(data: Buffer): void {
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
    this.#tally.latencies.push(performance.now() - this.#sentAt)
    this.#send()
  }
}
