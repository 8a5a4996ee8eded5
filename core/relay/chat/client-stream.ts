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

/** The stream to the client. Headers and text are held back until the first output and sent together. */
export class ClientStream {
  readonly #reply: FastifyReply
  readonly #client: ClientState
  readonly #headers: () => Record<string, string>
  readonly #stallMs: number
  #held = ''
  #hasStarted: boolean
  /** Number of bytes that the client has accepted. */
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
    // A keep-alive ping may have been sent before the upstream answered.
    this.#hasStarted = reply.raw.headersSent
  }

  get hasStarted(): boolean {
    return this.#hasStarted
  }

  hold(text: string): void {
    this.#held += text
  }

  /** Sends the headers and the text that was held back. */
  start(): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    this.#client.firstByteAtMs ??= performance.now()
    if (this.#client.isGone) return
    this.#reply.hijack()
    this.#reply.raw.writeHead(200, this.#headers())
  }

  /** Resolves when the client can accept more or has left.
   *  @returns undefined if it can accept more at once */
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

  /** @param before bytes that are sent before the text, in the same write */
  end(text: string, before?: Uint8Array): void {
    const held = this.#held
    this.#held = ''
    if (this.#client.isGone) return
    const { raw } = this.#reply
    if (before === undefined) endWithPiece(raw, held + text)
    else endWithBytes(raw, held, before, text)
  }

  /** Closes the connection after the text, for clients that recognise an error only by that. */
  break(text: string): void {
    if (this.#client.isGone) return
    this.#reply.raw.write(text, () => this.#reply.raw.destroy())
  }
}
