import type { LookupAddress } from 'node:dns'
import { connect, type Socket } from 'node:net'

/** Until the next address is tried beside those that have not answered yet (RFC 8305, section 5). */
const attemptMs = 300

/** As undici has them: no piece waits for the next one, and a side that is gone is noticed while nobody speaks. */
const socketOptions = {
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
  highWaterMark: 65_536,
} as const

/** Connects to the address that answers first. Unlike Node's own choice among addresses it gives up none of them while another is tried: where a packet
 *  is lost or the way is long, the one that works takes longer than an attempt, and the others may lead nowhere.
 *  @throws the first failure if all addresses fail, the signal's reason */
export function firstConnection(
  addresses: readonly LookupAddress[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    new Race(inTurns(addresses), port, { resolve, reject }).run(signal)
  })
}

interface Outcome {
  resolve: (socket: Socket) => void
  reject: (error: unknown) => void
}

class Race {
  readonly #waiting: LookupAddress[]
  readonly #port: number
  readonly #outcome: Outcome
  readonly #open = new Set<Socket>()
  #failure: unknown
  #timer: NodeJS.Timeout | undefined

  constructor(addresses: LookupAddress[], port: number, outcome: Outcome) {
    this.#waiting = addresses
    this.#port = port
    this.#outcome = outcome
  }

  run(signal: AbortSignal): void {
    const giveUp = () => this.#end(() => this.#outcome.reject(signal.reason))
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    this.#tryNext()
  }

  #tryNext(): void {
    clearTimeout(this.#timer)
    const next = this.#waiting.shift()
    if (next === undefined) return
    const socket = connect({ ...socketOptions, host: next.address, port: this.#port })
    this.#open.add(socket)
    socket.once('connect', () => this.#win(socket))
    socket.once('error', (error) => this.#lose(socket, error))
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#tryNext(), attemptMs)
  }

  #win(socket: Socket): void {
    this.#open.delete(socket)
    socket.removeAllListeners('error')
    this.#end(() => this.#outcome.resolve(socket))
  }

  #lose(socket: Socket, error: unknown): void {
    this.#open.delete(socket)
    this.#failure ??= error
    if (this.#waiting.length > 0) this.#tryNext()
    else if (this.#open.size === 0) this.#end(() => this.#outcome.reject(this.#failure))
  }

  #end(tell: () => void): void {
    clearTimeout(this.#timer)
    this.#waiting.length = 0
    for (const socket of this.#open)
      socket
        .removeAllListeners()
        .on('error', () => undefined)
        .destroy()
    this.#open.clear()
    tell()
  }
}

/** Both families in turns, beginning with the first address (RFC 8305, section 4): often one of them leads nowhere. */
function inTurns(addresses: readonly LookupAddress[]): LookupAddress[] {
  const first = addresses.filter(({ family }) => family === addresses[0]?.family)
  const others = addresses.filter(({ family }) => family !== addresses[0]?.family)
  return Array.from({ length: Math.max(first.length, others.length) }, (_, at) =>
    [first[at], others[at]].filter((one) => one !== undefined),
  ).flat()
}
