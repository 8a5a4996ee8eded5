import { drained } from '../../net/clients/drained.ts'
import type { FastifyReply } from 'fastify'
import type { ClientState } from '../call/client-state.ts'
import {
  endWithBytes,
  endWithPiece,
  writeBytes,
  writePiece,
} from '../../net/clients/write-piece.ts'

export const streamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/** The client's end of a streamed answer. Headers are held until the first output; what is held goes with them. */
export class ClientStream {
  readonly #reply: FastifyReply
  readonly #client: ClientState
  readonly #headers: () => Record<string, string>
  readonly #stallMs: number
  #held = ''
  #hasStarted: boolean
  /** Bytes that the client took. */
  sentBytes = 0

  constructor(
    reply: FastifyReply,
    client: ClientState,
    { headers, stallMs }: { headers: () => Record<string, string>; stallMs: number },
  ) {
    this.#stallMs = stallMs
    this.#reply = reply
    this.#client = client
    this.#headers = headers
    // A ping may have gone out before the upstream answered.
    this.#hasStarted = reply.raw.headersSent
  }

  get hasStarted(): boolean {
    return this.#hasStarted
  }

  hold(text: string): void {
    this.#held += text
  }

  /** Sends the headers and what was held. */
  start(): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    this.#client.firstByteAtMs ??= performance.now()
    if (this.#client.isGone) return
    this.#reply.hijack()
    this.#reply.raw.writeHead(200, this.#headers())
  }

  /** Resolves when the client can take more, or has gone. */
  write(data: string | Uint8Array, isAscii = false): Promise<void> | undefined {
    const held = this.#held
    this.#held = ''
    if (held.length + data.length === 0 || this.#client.isGone) return undefined
    this.sentBytes += held.length + data.length
    const { raw } = this.#reply
    const isTaken =
      typeof data === 'string'
        ? writePiece(raw, held + data, isAscii && held === '')
        : writeBytes(raw, held, data)
    return isTaken ? undefined : drained(raw, this.#stallMs)
  }

  /** @param before goes before the text, in the same write */
  end(text: string, before?: Uint8Array): void {
    const held = this.#held
    this.#held = ''
    if (this.#client.isGone) return
    const { raw } = this.#reply
    if (before === undefined) endWithPiece(raw, held + text)
    else endWithBytes(raw, held, before, text)
  }

  /** Breaks the connection after the text, for clients that read an error only so. */
  break(text: string): void {
    if (this.#client.isGone) return
    this.#reply.raw.write(text, () => this.#reply.raw.destroy())
  }
}
