// After a client has left, its answer is read on for the usage, within a time and a size.
import type { GatewaySettings } from '../../app/gateway-settings.ts'
import type { ClientReply, ClientState } from './client-state.ts'
import { relayErrors } from './relay-errors.ts'

interface DrainedCall {
  readonly client: ClientState
  readonly reply: ClientReply
}

/** Bounds one attempt's reading after the client left. Beyond the bounds the upstream is aborted. */
export class Drain {
  readonly #call: DrainedCall
  readonly #abort: AbortController
  readonly #settings: Pick<GatewaySettings['relay'], 'drainMs' | 'drainBytes'>
  #bytes = 0
  #timer: NodeJS.Timeout | undefined
  /** A bound was reached: what was delivered is billed by our count. */
  isOver = false
  /** The process is stopping. */
  isShort = false
  /** The client has left. */
  hasBegun = false
  whenBegun: (() => void) | undefined
  /** Index of the call in the list of open calls. */
  place = -1

  constructor(
    call: DrainedCall,
    abort: AbortController,
    settings: Pick<GatewaySettings['relay'], 'drainMs' | 'drainBytes'>,
  ) {
    this.#call = call
    this.#abort = abort
    this.#settings = settings
  }

  /** Bounds the reading from now on, including that of an upstream which sends nothing at all. */
  start(): void {
    if (this.#call.client.isGone) this.#begin()
    else this.#call.reply.raw.on('close', this.#begin)
  }

  /** Counts bytes that arrived. Does nothing while the client is still connected. */
  took(bytes: number): void {
    if (!this.#call.client.isGone) return
    this.#bytes += bytes
    if (this.#bytes > this.#settings.drainBytes) this.#end()
  }

  /** The process is stopping: nothing is read any more, whether or not the client is still there. */
  cutShort(): void {
    this.isShort = true
    if (this.#call.client.isGone) this.#end()
    else this.#abort.abort(relayErrors.stopping())
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#call.reply.raw.off('close', this.#begin)
  }

  readonly #begin = (): void => {
    const { client } = this.#call
    if (!client.isGone || this.hasBegun) return
    this.hasBegun = true
    this.whenBegun?.()
    if (this.isShort) return this.#end()
    const leftMs = this.#settings.drainMs - (performance.now() - client.goneAtMs)
    this.#timer = setTimeout(() => this.#end(), Math.max(0, leftMs))
  }

  #end(): void {
    this.isOver = true
    this.#abort.abort(new Error('The client left, and the drain reached its cap.'))
  }
}
