// What clients of WebSockets have not sent whole is bounded like bodies that are arriving.
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type App, startApp } from '#test'
import { type MadeFolders, makeFolders, serving } from '../../../test/contained/plugin-folders.ts'

const MIB = 1_048_576
let folders: MadeFolders
let app: App
const open: WebSocket[] = []

beforeAll(async () => {
  folders = await makeFolders([
    serving(
      'counts-letters',
      `services.routes.add((app) => {
        app.get('/api/counts-letters/socket', { websocket: true, config: { access: 'public' } }, (socket) => {
          socket.on('message', (data) => socket.send(String(data.length)))
        })
      })`,
    ),
  ])
  const env = {
    PLUGIN_DIRS: folders.path,
    MAX_REQUEST_BODY_MB: '8',
    OPEN_BODIES_MB: '8',
    SLOW_BODY_SECONDS: '2',
  }
  app = await startApp({ env, plugins: ['counts-letters'] })
})

afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate()
})

afterAll(async () => {
  await app.close()
  await folders.remove()
})

async function dial(localAddress = '127.0.0.1'): Promise<WebSocket> {
  const url = `${app.url.replace('http', 'ws')}/api/counts-letters/socket`
  const socket = new WebSocket(url, { localAddress })
  socket.on('error', () => undefined)
  open.push(socket)
  await once(socket, 'open')
  return socket
}

function begin(socket: WebSocket, bytes: number): void {
  socket.send(Buffer.alloc(bytes, 'x'), { binary: false, fin: false })
}

async function finish(socket: WebSocket): Promise<string> {
  const answered = once(socket, 'message')
  socket.send('', { binary: false, fin: true })
  const [message] = (await answered) as [Buffer]
  return String(message)
}

it('ends the connection whose unfinished message is more than the process takes', async () => {
  const [first, second] = [await dial(), await dial()]
  const closed = once(second, 'close')
  begin(first, 5 * MIB)
  begin(second, 5 * MIB)
  await Promise.race([closed, once(first, 'close')])
  const [rest, gone] = first.readyState === WebSocket.OPEN ? [first, second] : [second, first]
  expect(gone.readyState).toBeGreaterThan(WebSocket.OPEN)
  expect(await finish(rest)).toBe(String(5 * MIB))
  // Both have given back what they held.
  const third = await dial()
  begin(third, 7 * MIB)
  expect(await finish(third)).toBe(String(7 * MIB))
})

it('ends the connection of an address whose others hold as much as is left for everybody else', async () => {
  const greedy = [await dial(), await dial(), await dial()]
  const another = await dial('127.0.0.2')
  const closed = greedy.map((socket) => once(socket, 'close'))
  for (const socket of greedy) begin(socket, 2.5 * MIB)
  await Promise.race(closed)
  const rest = greedy.filter(({ readyState }) => readyState === WebSocket.OPEN)
  begin(another, 2.5 * MIB)
  expect(await finish(another)).toBe(String(2.5 * MIB))
  for (const socket of rest) socket.terminate()
})

it('counts what comes between the parts of a message, which they hold in memory', async () => {
  const socket = await dial()
  const closed = once(socket, 'close')
  const pong = Buffer.alloc(125)
  for (let part = 0; part < 160 && socket.readyState === WebSocket.OPEN; part += 1) {
    begin(socket, 1)
    for (let pongs = 0; pongs < 500; pongs += 1) socket.pong(pong)
    await new Promise((resolve) => socket.pong(pong, undefined, resolve))
  }
  await closed
})

it('ends a connection whose message stops in its middle, and lets a silent one be', async () => {
  const [silent, stopped] = [await dial(), await dial()]
  const closed = once(stopped, 'close')
  begin(silent, 10_000)
  begin(stopped, MIB)
  await closed
  expect(await finish(silent)).toBe('10000')
})

it('lets a client be that pings for long and says nothing', async () => {
  const [listening, stopped] = [await dial(), await dial()]
  const closed = once(stopped, 'close')
  for (let pings = 0; pings < 1_500; pings += 1) {
    listening.ping(Buffer.alloc(125))
    await once(listening, 'pong')
  }
  begin(stopped, MIB)
  await closed
  begin(listening, 10_000)
  expect(await finish(listening)).toBe('10000')
})
