import type { Socket } from 'node:net'
import { netTimeout } from '../net-errors.ts'
import { protocolError } from './fields.ts'
import { writeRequest, type EncodedRequest } from './request-writer.ts'
import { ResponseReader, type ResponseSink } from './response-reader.ts'

/** Whoever sends a request and waits for its answer. After `onEnd` or `onFailure` nothing more comes. */
export interface Sender extends ResponseSink {
  /** There is a connection for the request. @returns false when nobody waits any more */
  onConnection(connection: Connection): boolean
  /** The connection closed before the request went out; another one is looked for. */
  onConnectionLost(): void
  onEnd(): void
  onFailure(error: unknown): void
}

/** A request that was found fit to be sent, and how long its answer may take. */
export interface ReadyRequest extends EncodedRequest {
  method: string
  /** From the request to the end of the answer's head. */
  headTimeoutMs: number
  /** Between two pieces of the body. */
  idleTimeoutMs: number
}

/** Whose connection it is. */
export interface ConnectionOwner {
  /** How long it may wait for another request, by what its server says of its own patience; 0 or less: not at all. */
  restingMs(announcedMs: number): number
  /** It takes another request. */
  onFree(connection: Connection): void
  /** It takes none any more; told once or more often. */
  onClosed(connection: Connection): void
  /** It closed before the request went out on it, which no other side has seen. */
  onUnsent(request: ReadyRequest, sender: Sender): void
}

/** One connection with HTTP/1.1 on it: one request at a time, and the next after its answer. */
export class Connection {
  readonly #socket: Socket
  readonly #owner: ConnectionOwner
  readonly #reader = new ResponseReader()
  #sender: Sender | undefined
  #request: ReadyRequest | undefined
  #sentAtMs = 0
  #isWritten = false
  #hasServed = false
  #isPaused = false

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.#socket = socket
    this.#owner = owner
    // It may be free before anybody used it.
    socket.setTimeout(this.#restingMs)
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('end', () => this.#end())
    socket.on('timeout', () => this.#expire())
    socket.on('error', (error) => this.fail(error))
    socket.on('close', () => this.fail(protocolError('CLOSED_EARLY')))
  }

  send(request: ReadyRequest, sender: Sender): void {
    this.#sender = sender
    this.#request = request
    this.#reader.expect(request.method)
    this.#sentAtMs = performance.now()
    this.#isWritten = false
    this.#socket.ref()
    this.#socket.setTimeout(request.headTimeoutMs)
    writeWithOthers(this)
  }

  /** Nothing is under way on it: a process that has nothing else to do may end. */
  rest(): void {
    this.#socket.unref()
  }

  /** Writes what was handed to `send`. */
  write(): void {
    if (this.#sender === undefined || this.#request === undefined || this.#isWritten) return
    this.#isWritten = true
    writeRequest(this.#socket, this.#request)
  }

  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    // While the reader made it wait, the other side could not be late.
    if (this.#request) this.#socket.setTimeout(this.#request.idleTimeoutMs)
    this.#socket.resume()
  }

  /** Closes it; whoever waits for an answer is told nothing more. */
  destroy(): void {
    this.#sender = undefined
    this.#socket.destroy()
    this.#owner.onClosed(this)
  }

  /** Closes it and tells whoever waits. */
  fail(error: unknown): void {
    const sender = this.#sender
    const request = this.#request
    this.destroy()
    if (sender === undefined) return
    // The other side was tired of the connection; a new one that it closes is an answer.
    if (request && this.#hasServed && !this.#isWritten) this.#owner.onUnsent(request, sender)
    else sender.onFailure(error)
  }

  #read(bytes: Buffer): void {
    // On a new connection a server may turn away whoever comes before it is asked anything.
    if (!this.#hasServed) this.write()
    if (this.#sender === undefined || !this.#isWritten)
      return this.fail(protocolError('UNASKED_BYTES'))
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
    const request = this.#request as ReadyRequest
    if (this.#reader.isHeadRead) this.#socket.setTimeout(request.idleTimeoutMs)
    // A head that drips keeps the socket awake.
    else if (performance.now() - this.#sentAtMs > request.headTimeoutMs) this.#expire()
  }

  #finish(): void {
    const sender = this.#sender
    this.#sender = undefined
    this.#request = undefined
    this.#hasServed = true
    const servesOn = this.#reader.isPersistent && this.#restingMs > 0
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

  /** An answer that came before its request was taken whole leaves the rest of the request in the way. Of a request through TLS, Node says one turn
   *  late that it was taken: behind the answer, where a server is quick. */
  #freeIfTaken(): void {
    if (this.#socket.destroyed) return
    if (this.#socket.writableLength === 0) this.#free()
    else this.destroy()
  }

  /** The other side sends no more. */
  #end(): void {
    if (this.#sender && this.#reader.close()) this.#finish()
    else this.fail(protocolError('CLOSED_EARLY'))
  }

  #expire(): void {
    if (this.#sender === undefined) return this.destroy()
    if (this.#isPaused) return
    this.fail(netTimeout({ phase: this.#reader.isHeadRead ? 'body' : 'headers' }))
  }
}

let waiting: Connection[] = []

/** The requests of a turn go out one after the other at its end: each alone would wake whoever takes it, which costs more than the request does. */
function writeWithOthers(connection: Connection): void {
  if (waiting.push(connection) > 1) return
  setImmediate(() => {
    const ready = waiting
    waiting = []
    for (const each of ready) each.write()
  })
}
