import type { Socket } from 'node:net'
import { netTimeout } from '../net-errors.ts'
import { protocolError } from './fields.ts'
import { writeRequest, type EncodedRequest } from './request-writer.ts'
import { lifeMs } from './resting.ts'
import { ResponseReader, type ResponseSink } from './response-reader.ts'

/** The side that sends a request and waits for its answer. No call follows `onEnd` or `onFailure`. */
export interface Sender extends ResponseSink {
  /** A connection for the request is ready. @returns false if nobody waits for the answer any more */
  onConnection(connection: Connection): boolean
  /** The connection was closed before the request was sent, or before it was answered. It will be sent on another one. */
  onConnectionLost(): void
  onEnd(): void
  onFailure(error: unknown): void
}

/** How long an answer may take. */
export interface AnswerLimits {
  /** From the request to the end of the answer's head. */
  headTimeoutMs: number
  /** Between two pieces of the body. */
  idleTimeoutMs: number
  /** While the reader takes nothing; 0: no limit. */
  unreadTimeoutMs: number
}

/** A checked request. */
export interface ReadyRequest extends EncodedRequest, AnswerLimits {
  method: string
}

/** The pool to which a connection belongs. */
export interface ConnectionOwner {
  /** How long the connection may wait for its next request; 0 or less: not at all.
   *  @param announcedMs how long its server says that it waits */
  restingMs(announcedMs: number): number
  /** The connection is free for another request. */
  onFree(connection: Connection): void
  /** The connection takes no more requests. May be called several times. */
  onClosed(connection: Connection): void
  /** The connection was closed before the request was sent, so no server has seen it, or may be asked again. */
  onUnsent(request: ReadyRequest, sender: Sender): void
}

/** What a server may be asked twice (RFC 9110, 9.2.2). It may have begun a POST, and bill it: whether that is sent again
 *  is decided by whoever sent it. */
const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** A connection that carries HTTP/1.1: one request at a time, the next one after its answer. */
export class Connection {
  readonly #socket: Socket
  readonly #owner: ConnectionOwner
  readonly #reader = new ResponseReader()
  readonly #endsAtMs = performance.now() + lifeMs()
  #sender: Sender | undefined
  #request: ReadyRequest | undefined
  #sentAtMs = 0
  #isWritten = false
  #hasServed = false
  #hasBegunAnswer = false
  #isPaused = false

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.#socket = socket
    this.#owner = owner
    // It may become free before it is used, if the request was aborted meanwhile.
    socket.setTimeout(this.#restingMs)
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('end', () => this.#end())
    socket.on('timeout', () => this.#expire())
    socket.on('error', (error) => this.#lose(error))
    socket.on('close', () => this.#lose(protocolError('CLOSED_EARLY')))
  }

  send(request: ReadyRequest, sender: Sender): void {
    this.#sender = sender
    this.#request = request
    this.#reader.expect(request.method)
    this.#sentAtMs = performance.now()
    this.#isWritten = false
    this.#hasBegunAnswer = false
    this.#socket.ref()
    this.#socket.setTimeout(request.headTimeoutMs)
    writeWithOthers(this)
  }

  /** Called while no request is under way: a process with nothing else to do may end. */
  rest(): void {
    this.#socket.unref()
  }

  /** Writes the request that was passed to `send`. */
  write(): void {
    if (this.#sender === undefined || this.#request === undefined || this.#isWritten) return
    this.#isWritten = true
    writeRequest(this.#socket, this.#request)
  }

  pause(): void {
    this.#isPaused = true
    // While the reader makes it wait, the other side cannot be late.
    this.#socket.setTimeout(this.#request?.unreadTimeoutMs ?? 0)
    this.#socket.pause()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    if (this.#request) this.#socket.setTimeout(this.#request.idleTimeoutMs)
    this.#socket.resume()
  }

  /** Closes the connection without a word to the sender. */
  destroy(): void {
    this.#sender = undefined
    this.#socket.destroy()
    this.#owner.onClosed(this)
  }

  /** Closes the connection and reports the error to the sender. */
  fail(error: unknown): void {
    const sender = this.#sender
    this.destroy()
    sender?.onFailure(error)
  }

  /** The connection is closed, or broken. */
  #lose(error: unknown): void {
    const sender = this.#sender
    const request = this.#request
    if (sender === undefined || request === undefined || !this.#isClosedIdle(request))
      return this.fail(error)
    this.destroy()
    this.#owner.onUnsent(request, sender)
  }

  /** Whether the server has closed a connection that was idle, as it seemed to it. If it closes a new one, that is its answer. */
  #isClosedIdle({ method }: ReadyRequest): boolean {
    if (!this.#hasServed || this.#hasBegunAnswer) return false
    return !this.#isWritten || repeatable.has(method)
  }

  #read(bytes: Buffer): void {
    // On a new connection, a server may refuse the client before it gets a request.
    if (!this.#hasServed) this.write()
    if (this.#sender === undefined || !this.#isWritten)
      return this.fail(protocolError('UNASKED_BYTES'))
    this.#hasBegunAnswer = true
    const wasHeadRead = this.#reader.isHeadRead
    let isWhole: boolean
    try {
      isWhole = this.#reader.read(bytes, this.#sender)
    } catch (error) {
      return this.fail(error)
    }
    if (isWhole) this.#finish()
    else if (!wasHeadRead) this.#waitForMore()
  }

  #waitForMore(): void {
    if (this.#isPaused) return
    const request = this.#request as ReadyRequest
    if (this.#reader.isHeadRead) this.#socket.setTimeout(request.idleTimeoutMs)
    // A head that arrives slowly never lets the socket's own time-out fire.
    else if (performance.now() - this.#sentAtMs > request.headTimeoutMs) this.#expire()
  }

  #finish(): void {
    const sender = this.#sender
    this.#sender = undefined
    this.#request = undefined
    this.#hasServed = true
    const isYoung = performance.now() < this.#endsAtMs
    const servesOn = isYoung && this.#reader.isPersistent && this.#restingMs > 0
    if (!servesOn) this.destroy()
    sender?.onEnd()
    if (!servesOn) return
    if (this.#socket.writableLength === 0) this.#free()
    else setImmediate(() => this.#freeIfTaken())
  }

  get #restingMs(): number {
    return this.#owner.restingMs(this.#reader.idleMs)
  }

  #free(): void {
    this.#socket.setTimeout(this.#restingMs)
    this.resume()
    this.#owner.onFree(this)
  }

  /** If an answer comes before its request was written completely, the connection cannot be used again. Through TLS, Node
   *  confirms a write one turn late, which may be after the answer of a quick server. */
  #freeIfTaken(): void {
    if (this.#socket.destroyed) return
    if (this.#socket.writableLength === 0) this.#free()
    else this.destroy()
  }

  /** The server has ended its side. */
  #end(): void {
    if (this.#sender && this.#reader.close()) this.#finish()
    else this.#lose(protocolError('CLOSED_EARLY'))
  }

  #expire(): void {
    if (this.#sender === undefined) return this.destroy()
    this.fail(netTimeout({ phase: this.#reader.isHeadRead ? 'body' : 'headers' }))
  }
}

let waiting: Connection[] = []

/** All requests of one turn of the event loop are written at its end. Each separate write would wake the process on the
 *  other side, which costs more than the request itself. */
function writeWithOthers(connection: Connection): void {
  if (waiting.push(connection) > 1) return
  setImmediate(() => {
    const ready = waiting
    waiting = []
    for (const each of ready) each.write()
  })
}
