// The provider's side of a fixture: an HTTP and WebSocket server on a free port that follows a script.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { bodyOf, sendCanned } from './canned-response.ts'
import type { Script } from './exchange-script.ts'
import type { CannedResponse } from './fixture.ts'
import { describeMismatches, matchSubset } from './match.ts'
import { upstreamCall } from './upstream-call.ts'

export class MockUpstream {
  readonly url: string
  readonly #server: Server
  readonly #sockets = new WebSocketServer({ noServer: true })
  #script: Script = { answer: () => undefined, problems: [] }

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (request, response) => void this.#answer(request, response))
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
  }

  static async start(): Promise<MockUpstream> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new MockUpstream(server)
  }

  follow(script: Script): void {
    this.#script = script
  }

  async close(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    const canned = this.#script.answer(upstreamCall(method, url, headers, Buffer.concat(chunks)))
    if (canned?.websocket) this.#problem(`${method} ${url} came without a WebSocket upgrade`)
    await sendCanned(response, canned ?? unexpected)
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { method = '', url = '', headers } = request
    const canned = this.#script.answer(upstreamCall(method, url, headers, Buffer.alloc(0)))
    if (!canned?.websocket) {
      refuseHandshake(socket, canned ?? unexpected)
      return
    }
    const play = canned.websocket
    this.#sockets.handleUpgrade(request, socket, head, (client) => this.#play(client, play))
  }

  /** Reads as many messages as expected, then says its own and closes. */
  #play(client: WebSocket, play: Play): void {
    const expected = play.expectMessages ?? []
    let read = 0
    client.on('message', (data) => {
      if (read >= expected.length) return
      this.#compare(textOf(data), expected[read], read)
      read++
      if (read === expected.length) void speak(client, play)
    })
    client.on('close', () => {
      if (read < expected.length) {
        this.#problem(`the socket closed after ${read} of ${expected.length} expected messages`)
      }
    })
    if (expected.length === 0) void speak(client, play)
  }

  #compare(text: string, expected: unknown, index: number): void {
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      this.#problem(`WebSocket message ${index} is no JSON: ${text.slice(0, 200)}`)
      return
    }
    for (const fault of describeMismatches(matchSubset(message, expected))) {
      this.#problem(`WebSocket message ${index}: ${fault}`)
    }
  }

  #problem(message: string): void {
    this.#script.problems.push(message)
  }
}

function textOf(data: RawData): string {
  return Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data as Buffer)]).toString('utf8')
}

type Play = NonNullable<CannedResponse['websocket']>

async function speak(client: WebSocket, play: Play): Promise<void> {
  for (const message of play.sendMessages ?? []) {
    await new Promise((resolve) => client.send(JSON.stringify(message), resolve))
  }
  // 1006 stands for a socket that breaks without a close frame; it cannot be sent.
  if (play.closeCode === 1006) client.terminate()
  else client.close(play.closeCode ?? 1000)
}

/** No upstream would answer so; a fixture cannot pass with it unseen, since the script notes the call. */
const unexpected: CannedResponse = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  bodyJson: { error: { message: 'no fixture expects this call', type: 'mock_upstream' } },
}

function refuseHandshake(socket: Duplex, canned: CannedResponse): void {
  const body = bodyOf(canned)
  const headers = { ...canned.headers, 'content-length': String(body.length), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${canned.status ?? 403} Refused\r\n${lines.join('')}\r\n`)
  socket.end(body)
}
