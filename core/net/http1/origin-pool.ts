import type { Socket } from 'node:net'
import {
  type AnswerLimits,
  Connection,
  type ConnectionOwner,
  type ReadyRequest,
  type Sender,
} from './connection.ts'
import { protocolError } from './fields.ts'
import { encodeRequest, type OutgoingRequest } from './request-writer.ts'
import { restingMs } from './resting.ts'

export type TimedRequest = OutgoingRequest & AnswerLimits

/** The connections to one origin, as many as there are requests at the same time. The one used last is used next. */
export class OriginPool implements ConnectionOwner {
  readonly #open: () => Promise<Socket>
  readonly #isSecure: boolean
  readonly #free: Connection[] = []
  readonly #all = new Set<Connection>()
  #isClosed = false
  #isDestroyed = false

  /** @param open opens a new connection, with TLS if the origin needs it */
  constructor(open: () => Promise<Socket>, isSecure: boolean) {
    this.#open = open
    this.#isSecure = isSecure
  }

  /** Never throws: the sender gets all errors. */
  send(request: TimedRequest, sender: Sender): void {
    let ready: ReadyRequest
    try {
      const { method, headTimeoutMs, idleTimeoutMs, unreadTimeoutMs } = request
      const limits = { headTimeoutMs, idleTimeoutMs, unreadTimeoutMs }
      ready = { ...encodeRequest(request), method, ...limits }
    } catch (error) {
      return sender.onFailure(error)
    }
    this.#send(ready, sender)
  }

  /** Accepts no new requests; those under way still end. */
  close(): void {
    this.#isClosed = true
    for (const connection of this.#free.splice(0)) connection.destroy()
  }

  /** Also ends the requests that are under way. */
  destroy(): void {
    this.#isDestroyed = true
    this.close()
    for (const connection of this.#all) connection.fail(protocolError('CLIENT_CLOSED'))
  }

  restingMs(announcedMs: number): number {
    return restingMs(this.#isSecure, { announcedMs, resting: this.#free.length })
  }

  onFree(connection: Connection): void {
    if (this.#isClosed) return connection.destroy()
    connection.rest()
    this.#free.push(connection)
  }

  onClosed(connection: Connection): void {
    this.#all.delete(connection)
    const at = this.#free.indexOf(connection)
    if (at >= 0) this.#free.splice(at, 1)
  }

  onUnsent(request: ReadyRequest, sender: Sender): void {
    sender.onConnectionLost()
    this.#send(request, sender)
  }

  #send(request: ReadyRequest, sender: Sender): void {
    if (this.#isDestroyed) return sender.onFailure(protocolError('CLIENT_CLOSED'))
    const free = this.#free.pop()
    if (free) this.#use(free, request, sender)
    else
      this.#open().then(
        (socket) => this.#use(this.#adopt(socket), request, sender),
        (error: unknown) => sender.onFailure(error),
      )
  }

  #adopt(socket: Socket): Connection {
    const connection = new Connection(socket, this)
    this.#all.add(connection)
    return connection
  }

  #use(connection: Connection, request: ReadyRequest, sender: Sender): void {
    if (!sender.onConnection(connection)) return this.onFree(connection)
    connection.send(request, sender)
    if (this.#isDestroyed) connection.fail(protocolError('CLIENT_CLOSED'))
  }
}
