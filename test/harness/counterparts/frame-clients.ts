// Clients of the WebSockets of the relay, which also report how they were refused.
import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'

export type Frame = Record<string, unknown>

export function sendFrame(socket: WebSocket, frame: Frame): void {
  socket.send(JSON.stringify(frame))
}

export class FrameClient {
  readonly frames: Frame[] = []
  readonly socket: WebSocket
  readonly closed: Promise<{ code: number; reason: string }>
  #waiting: (() => void)[] = []

  /** @param address with its path; `http` is read as `ws` */
  constructor(address: string, key: string, protocols?: readonly string[]) {
    this.socket = new WebSocket(
      address.replace('http', 'ws'),
      [...(protocols ?? [])],
      protocols ? {} : { headers: { authorization: `Bearer ${key}` } },
    )
    this.socket.on('message', (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString()) as Frame)
      for (const wake of this.#waiting.splice(0)) wake()
    })
    this.closed = new Promise((resolve) =>
      this.socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    )
    this.socket.on('error', () => undefined)
  }

  send(frame: Frame): void {
    sendFrame(this.socket, frame)
  }

  async frame(type: string, count = 1): Promise<Frame> {
    for (;;) {
      const found = this.frames.filter((frame) => frame['type'] === type)
      if (found.length >= count) return found[count - 1] as Frame
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }
}

export class RealtimeClient extends FrameClient {
  constructor(url: string, key: string, options: { model: string; protocols?: string[] }) {
    super(`${url}/v1/realtime?model=${options.model}`, key, options.protocols)
  }

  async opened(): Promise<this> {
    await this.frame('session.created')
    return this
  }
}

export function refusalOf(socket: WebSocket): Promise<{ status: number; body: Frame }> {
  return new Promise((resolve) =>
    socket.on('unexpected-response', (_request, response: IncomingMessage) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Frame }),
      )
    }),
  )
}
