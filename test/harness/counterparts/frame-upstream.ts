// An upstream of sessions over WebSockets, which notes what it hears.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Frame } from './frame-clients.ts'

export class FrameUpstream {
  readonly #server: WebSocketServer
  /** Of each connection first its address and key, then the frames of its client. */
  heard: Frame[] = []
  greet: (socket: WebSocket) => void = () => undefined
  respond: (socket: WebSocket, frame: Frame) => void = () => undefined

  private constructor(server: WebSocketServer) {
    this.#server = server
    server.on('connection', (socket, request) => this.#serve(socket, request))
  }

  static async open(): Promise<FrameUpstream> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    return new FrameUpstream(server)
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** @throws Error if nobody is connected */
  get socket(): WebSocket {
    const [socket] = this.#server.clients
    if (!socket) throw new Error('nobody is connected')
    return socket
  }

  get typesHeard(): unknown[] {
    return this.heard.map(({ type }) => type)
  }

  dropAll(): void {
    for (const socket of this.#server.clients) socket.terminate()
  }

  close(): void {
    this.#server.close()
  }

  #serve(socket: WebSocket, { url, headers }: IncomingMessage): void {
    this.heard.push({ url, key: headers['x-goog-api-key'] ?? headers.authorization })
    this.greet(socket)
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Frame
      this.heard.push(frame)
      this.respond(socket, frame)
    })
  }
}
