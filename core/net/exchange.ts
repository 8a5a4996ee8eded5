import type { UpstreamResponse } from '../contract/http-client.ts'
import type { Connection, Sender } from './http1/connection.ts'
import type { OriginPool, TimedRequest } from './http1/origin-pool.ts'
import type { ResponseHead } from './http1/response-reader.ts'
import { netError, type ExchangePhase } from './net-errors.ts'
import { PushQueue } from './push-queue.ts'

/** How many bytes may wait for a slow reader before the socket is paused. */
const highWaterMark = 64 * 1024

/** Sends one request through a pool. The body must be read to its end or left by `return()`, as `break` does; otherwise
 *  its connection stays occupied.
 *  @throws net.unreachable, net.timeout, or the signal's reason */
export function exchange(
  pool: OriginPool,
  request: TimedRequest,
  signal: AbortSignal | undefined,
): Promise<UpstreamResponse> {
  if (signal?.aborted) return Promise.reject(signal.reason as Error)
  return new Promise((resolve, reject) => {
    pool.send(request, new Exchange(resolve, reject, signal))
  })
}

/** One request. Its answer is a promise; the body is an iterator that pauses the connection when it is not read. */
class Exchange implements Sender {
  readonly #resolve: (response: UpstreamResponse) => void
  readonly #reject: (error: unknown) => void
  readonly #signal: AbortSignal | undefined
  #connection: Connection | undefined
  #body: PushQueue<Uint8Array> | undefined
  #phase: ExchangePhase = 'connect'

  constructor(
    resolve: (response: UpstreamResponse) => void,
    reject: (error: unknown) => void,
    signal: AbortSignal | undefined,
  ) {
    this.#resolve = resolve
    this.#reject = reject
    this.#signal = signal
    signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** If the request was aborted while a connection was being made, it has been answered already. */
  onConnection(connection: Connection): boolean {
    if (this.#signal?.aborted) return false
    this.#connection = connection
    this.#phase = 'headers'
    return true
  }

  onConnectionLost(): void {
    this.#connection = undefined
    this.#phase = 'connect'
  }

  onHead({ status, headers }: ResponseHead): void {
    this.#phase = 'body'
    const body = new PushQueue<Uint8Array>({
      onDrained: () => this.#connection?.resume(),
      onCancelled: () => this.#leave(),
    })
    this.#body = body
    this.#resolve({ status, headers, body })
  }

  onData(bytes: Buffer): void {
    const body = this.#body
    if (body === undefined) return
    body.push(bytes, bytes.length)
    if (body.queuedSize > highWaterMark) this.#connection?.pause()
  }

  onEnd(): void {
    this.#forget()
    this.#body?.end()
  }

  onFailure(error: unknown): void {
    this.#forget()
    const known = netError(error, this.#phase)
    if (this.#body === undefined) this.#reject(known)
    else this.#body.fail(known)
  }

  readonly #onAbort = (): void => {
    const reason = this.#signal?.reason as Error
    this.#reject(reason)
    this.#body?.fail(reason, true)
    this.#leave()
  }

  #leave(): void {
    this.#connection?.destroy()
    this.#forget()
  }

  /** From here on the connection may serve another request. */
  #forget(): void {
    this.#connection = undefined
    this.#signal?.removeEventListener('abort', this.#onAbort)
  }
}
