// Many streams that are open at once, each with an event a second: what they take of memory, and whether one is lost.
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { startApp } from '../harness/app.ts'
import { chunk, lastChunks } from '../harness/chat-chunks.ts'
import { addChannel, addCustomer, consumptionRows, setPrice } from '../harness/shop.ts'
import { residentMegabytes } from './measure.ts'

const model = 'bench-open'
const usage = { prompt_tokens: 10, completion_tokens: 5 }
/** Connections opened in a row without a pause. */
const AT_ONCE = 50
const OPENING_LIMIT_MS = 120_000

export interface OpenStreams {
  streams: number
  /** Megabytes before the first, and the most while all were open. */
  before: number
  most: number
  lost: number
  /** Log rows of charges; as many as streams, or money was lost. */
  charged: number
  isLedgerRight: boolean
}

export async function measureOpenStreams(streams: number, seconds: number): Promise<OpenStreams> {
  const upstream = await startSlowUpstream()
  const app = await startApp({ prefix: ['taskset', '-c', '0'], env: { LOG_LEVEL: 'info' } })
  try {
    await setPrice(app.root, model, 1)
    await addChannel(app.root, { base_url: upstream.url, models: model })
    const { key, username } = await addCustomer(app.root, 'bench', 1_000_000_000)
    const { pid } = app.process
    const before = residentMegabytes(pid)
    const clients: StreamClient[] = []
    while (clients.length < streams) {
      const { length } = clients
      for (let at = length; at < Math.min(length + AT_ONCE, streams); at += 1)
        clients.push(new StreamClient(app.url, key))
      await wait(20)
    }
    const limitMs = performance.now() + OPENING_LIMIT_MS
    while (performance.now() < limitMs && clients.some(({ hasBegun }) => !hasBegun)) await wait(100)
    let most = 0
    for (let second = 0; second < seconds; second += 1) {
      await wait(1_000)
      most = Math.max(most, residentMegabytes(pid))
    }
    upstream.end()
    await Promise.all(clients.map(({ closed }) => closed))
    const charged = (await consumptionRows(app.root, username)).length
    const { code } = await app.command('ledger', 'verify')
    const lost = clients.filter(({ isWhole }) => !isWhole).length
    return { streams, before, most, lost, charged, isLedgerRight: code === 0 }
  } finally {
    await app.close()
    upstream.close()
  }
}

/** Sends each stream an event a second until it is told to end them. */
async function startSlowUpstream() {
  const open = new Set<ServerResponse>()
  const event = `data: ${JSON.stringify(chunk('word '))}\n\n`
  const last = lastChunks(usage).map((part) =>
    typeof part === 'string' ? part : `data: ${JSON.stringify(part)}\n\n`,
  )
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(event)
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  const timer = setInterval(() => {
    for (const response of open) response.write(event)
  }, 1_000)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 8_192, resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    end: () => {
      for (const response of open) response.end(last.join(''))
      open.clear()
    },
    close: () => {
      clearInterval(timer)
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Keeps only the end of what it gets: the memory is the gateway's to spend. */
class StreamClient {
  hasBegun = false
  isWhole = false
  readonly closed: Promise<void>
  #tail = ''

  constructor(address: string, key: string) {
    const { hostname, port, host } = new URL(address)
    const body = JSON.stringify({
      model,
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    })
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    this.closed = new Promise((resolve) => {
      socket.on('close', () => resolve())
      socket.on('error', () => socket.destroy())
    })
    socket.on('data', (data) => {
      if (!this.hasBegun) this.hasBegun = data.toString('latin1', 0, 15) === 'HTTP/1.1 200 OK'
      this.#tail = (this.#tail + data.toString('latin1')).slice(-64)
      if (!this.#tail.endsWith('0\r\n\r\n')) return
      this.isWhole = this.#tail.includes('[DONE]')
      socket.destroy()
    })
  }
}
