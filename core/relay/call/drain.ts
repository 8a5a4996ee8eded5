// An answer whose client left is read on for its usage, up to a time and a size.
import type { GatewaySettings } from '../../app/gateway-settings.ts'
import type { ClientReply, ClientState } from './client-state.ts'
import { relayErrors } from './relay-errors.ts'

interface DrainedCall {
  readonly client: ClientState
  readonly reply: ClientReply
}

/** The bounds of one attempt's reading after the client left; beyond them the upstream is aborted. */
export class Drain {
  readonly #call: DrainedCall
  readonly #abort: AbortController
  readonly #settings: Pick<GatewaySettings['relay'], 'drainMs' | 'drainBytes'>
  #bytes = 0
  #timer: NodeJS.Timeout | undefined
  /** The cap was reached: what was delivered is counted. */
  isOver = false
  /** The process stops. */
  isShort = false
  /** The client has left. */
  hasBegun = false
  whenBegun: (() => void) | undefined
  /** Where it stands among the open calls. */
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

  /** Bounds the reading from now on, also of an upstream that never says a word. */
  start(): void {
    if (this.#call.client.isGone) this.#begin()
    else this.#call.reply.raw.once('close', this.#begin)
  }

  /** Counts what came; nothing while the client is there. */
  took(bytes: number): void {
    if (!this.#call.client.isGone) return
    this.#bytes += bytes
    if (this.#bytes > this.#settings.drainBytes) this.#end()
  }

  /** The process stops: nothing is read on, whether the client has gone or waits for the end. */
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
