import type { Dispatcher } from 'undici'
import type { UpstreamResponse } from '../contract/adapter.ts'
import { netError, type ExchangePhase } from './net-errors.ts'
import { PushQueue } from './push-queue.ts'

type Controller = Dispatcher.DispatchController
type IncomingHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

/** Bytes that may wait for a slow reader before the socket is paused. */
const highWaterMark = 64 * 1024

/** Sends one request on a pool. The body must be read to its end or left by `return()` (a `break` does): else its socket stays taken.
 *  @throws net.unreachable, net.timeout, or the signal's reason */
export function exchange(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal | undefined,
): Promise<UpstreamResponse> {
  if (signal?.aborted) return Promise.reject(signal.reason as Error)
  return new Promise((resolve, reject) => {
    pool.dispatch(request, new Exchange(resolve, reject, signal))
  })
}

/** undici's handler for one request: `Pool.request` without the Readable and its events. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: UpstreamResponse) => void
  readonly #reject: (error: unknown) => void
  readonly #signal: AbortSignal | undefined
  #controller: Controller | undefined
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

  /** A connection was found; an abort while it was being made has already been answered. */
  onRequestStart(controller: Controller): void {
    if (this.#signal?.aborted) {
      controller.abort(this.#signal.reason as Error)
      return
    }
    this.#controller = controller
    this.#phase = 'headers'
  }

  onResponseStart(controller: Controller, status: number, headers: IncomingHeaders): void {
    if (status < 200) return
    this.#phase = 'body'
    const body = new PushQueue<Uint8Array>({
      onDrained: () => controller.resume(),
      onCancelled: () => controller.abort(new Error('The reader left.')),
    })
    this.#body = body
    this.#resolve({ status, headers: joinLists(headers), body })
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    const body = this.#body
    if (body === undefined) return
    body.push(chunk, chunk.length)
    if (body.queuedSize > highWaterMark) controller.pause()
  }

  onResponseEnd(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#body?.end()
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#signal?.removeEventListener('abort', this.#onAbort)
    const known = netError(error, this.#phase)
    if (this.#body === undefined) this.#reject(known)
    else this.#body.fail(known)
  }

  readonly #onAbort = (): void => {
    const reason = this.#signal?.reason as Error
    this.#reject(reason)
    this.#body?.fail(reason, true)
    this.#controller?.abort(reason)
  }
}

/** undici gives repeated headers as a list; its object is fresh and ours to change. */
function joinLists(headers: IncomingHeaders): Record<string, string> {
  for (const name in headers) {
    const value = headers[name]
    if (Array.isArray(value)) headers[name] = value.join(', ')
  }
  return headers as Record<string, string>
}
