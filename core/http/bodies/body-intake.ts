import { errorType } from '../../contract/errors.ts'
import { type Sender, Shares } from '../../limits/shares.ts'
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

const shareFull = errorType(
  'request.share_full',
  429,
  {
    en: 'Your large requests in hand take as much room as is left for everybody else. Try again in a second.',
    zh: '您正在处理的大请求占用的空间已与留给其他用户的相当，请稍后重试。',
  },
  { relay: 'rate_limit_exceeded' },
)

const inASecond = { headers: { 'retry-after': '1' } }

/** A larger body counts until its call has ended, and is measured while it arrives: measuring a smaller one takes a millisecond at most and is
 *  done when it is parsed. A smaller message of a WebSocket costs less than its connection. */
export const LARGE_BODY_BYTES = 131_072

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
 *  several times their size in memory. Bounds their sum, and what one sender holds of it, and ends those that arrive too slowly. */
export class BodyIntake {
  /** For the work at large bodies that are complete. */
  readonly turns = new BodyTurns()
  readonly #limitBytes: number
  readonly #slowSeconds: number
  /** Bodies that are not complete. */
  readonly #open = new Set<CountedBody>()
  #held = 0
  readonly #small = new Shares()
  readonly #large = new Shares()
  #timer: NodeJS.Timeout | undefined

  constructor({ limitBytes, slowSeconds }: { limitBytes: number; slowSeconds: number }) {
    this.#limitBytes = limitBytes
    this.#slowSeconds = slowSeconds
  }

  /** Bytes of incomplete bodies and of those still in use. */
  get heldBytes(): number {
    return this.#held
  }

  /** @param sender whose share it is taken of (`senderOf`) */
  open(sender: Sender): OpenBody {
    const body = new CountedBody(this, sender)
    this.#open.add(body)
    // One timer for all: a timer for each would cost more than a small body itself.
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref()
    return body
  }

  /** A sender holds no more in large bodies than is left free, nor in small ones, so that nobody shuts out the next. A single body may
   *  be larger: one of the largest size must fit. */
  take(body: CountedBody, bytes: number): Error | undefined {
    const free = this.#limitBytes - this.#held - bytes
    if (free < 0) return bodiesFull(undefined, inASecond)
    const { sender, heldBytes } = body
    const shares = this.#sharesOf(heldBytes + bytes)
    const isGrown = shares !== this.#sharesOf(heldBytes)
    const others = shares.of(sender) - (isGrown ? 0 : heldBytes)
    if (others > 0 && others + heldBytes + bytes > free) return shareFull(undefined, inASecond)
    if (isGrown) this.#small.add(sender, -heldBytes)
    shares.add(sender, isGrown ? heldBytes + bytes : bytes)
    this.#held += bytes
    return undefined
  }

  finish(body: CountedBody): void {
    this.#open.delete(body)
  }

  close(body: CountedBody): void {
    this.#open.delete(body)
    this.#held -= body.heldBytes
    this.#sharesOf(body.heldBytes).add(body.sender, -body.heldBytes)
    body.heldBytes = 0
  }

  #sharesOf(bytes: number): Shares {
    return bytes > LARGE_BODY_BYTES ? this.#large : this.#small
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
  readonly sender: Sender
  #seconds = 0
  #heldBefore = 0
  #holders = 1
  readonly #intake: BodyIntake
  onRefused: (error: Error) => void = () => undefined

  constructor(intake: BodyIntake, sender: Sender) {
    this.#intake = intake
    this.sender = sender
  }

  take(bytes: number): Error | undefined {
    const fault = this.#intake.take(this, bytes)
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
