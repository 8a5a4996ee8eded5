import { errorType } from '../../contract/errors.ts'
import { BodyTurns } from './body-turns.ts'

const bodyTooSlow = errorType<{ seconds: number }>(
  'request.too_slow',
  408,
  {
    en: 'The request body came too slowly: for {seconds} s less than 1 KiB a second.',
    zh: '请求体传输过慢：{seconds} 秒内平均不足每秒 1 KiB。',
  },
  { relay: 'invalid_request' },
)
const bodiesFull = errorType(
  'server.bodies_full',
  503,
  {
    en: 'The gateway has too many large requests in hand. Try again in a second.',
    zh: '网关正在处理的大请求过多，请稍后重试。',
  },
  { relay: 'internal_error' },
)

/** The slowest rate that is accepted; a slow mobile line has ten times as much. */
const LEAST_BYTES_PER_SECOND = 1024

const TICK_MS = 1000

/** One body, from its first byte until it is not needed any more. */
export interface OpenBody {
  /** Counts bytes that arrived or were decompressed. Returns an error if this process cannot take more. */
  take(bytes: number): Error | undefined
  /** Called when the body is given up. */
  onRefused: (error: Error) => void
  /** The body is complete, so it can no longer be too slow. */
  finish(): void
  /** Another user of the body; each must close it. */
  hold(): void
  /** Releases what the body held, once all its users have closed it. */
  close(): void
}

/** All bodies of this process that are being received or decompressed, and large bodies of open calls, which take
 *  several times their size in memory. Bounds their sum, and ends those that arrive too slowly. */
export class BodyIntake {
  /** For the work at large bodies that are complete. */
  readonly turns = new BodyTurns()
  readonly #limitBytes: number
  readonly #slowSeconds: number
  /** Bodies that are not complete. */
  readonly #open = new Set<CountedBody>()
  #held = 0
  #timer: NodeJS.Timeout | undefined

  constructor({ limitBytes, slowSeconds }: { limitBytes: number; slowSeconds: number }) {
    this.#limitBytes = limitBytes
    this.#slowSeconds = slowSeconds
  }

  /** Bytes of incomplete bodies and of those still in use. */
  get heldBytes(): number {
    return this.#held
  }

  open(): OpenBody {
    const body = new CountedBody(this)
    this.#open.add(body)
    // One timer for all: a timer for each would cost more than a small body itself.
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref()
    return body
  }

  take(bytes: number): Error | undefined {
    if (this.#held + bytes > this.#limitBytes)
      return bodiesFull(undefined, { headers: { 'retry-after': '1' } })
    this.#held += bytes
    return undefined
  }

  finish(body: CountedBody): void {
    this.#open.delete(body)
  }

  close(body: CountedBody): void {
    this.#open.delete(body)
    this.#held -= body.heldBytes
    body.heldBytes = 0
  }

  #tick(): void {
    for (const body of this.#open) {
      if (!body.isTooSlow(this.#slowSeconds)) continue
      body.onRefused(
        bodyTooSlow({ seconds: this.#slowSeconds }, { headers: { connection: 'close' } }),
      )
    }
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

class CountedBody implements OpenBody {
  heldBytes = 0
  #seconds = 0
  #heldBefore = 0
  #holders = 1
  readonly #intake: BodyIntake
  onRefused: (error: Error) => void = () => undefined

  constructor(intake: BodyIntake) {
    this.#intake = intake
  }

  take(bytes: number): Error | undefined {
    const fault = this.#intake.take(bytes)
    if (!fault) this.heldBytes += bytes
    return fault
  }

  /** Called each second. Every period of `slowSeconds` must bring enough bytes, so a body that begins fast may not stall later. */
  isTooSlow(slowSeconds: number): boolean {
    this.#seconds += 1
    if (this.#seconds < slowSeconds) return false
    const came = this.heldBytes - this.#heldBefore
    this.#seconds = 0
    this.#heldBefore = this.heldBytes
    return came < slowSeconds * LEAST_BYTES_PER_SECOND
  }

  finish(): void {
    this.#intake.finish(this)
  }

  hold(): void {
    this.#holders += 1
  }

  close(): void {
    this.#holders -= 1
    if (this.#holders === 0) this.#intake.close(this)
  }
}
