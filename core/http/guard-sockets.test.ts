import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket as Client } from 'ws'
import { type App, startApp } from '#test'
import { type MadeFolders, makeFolders, serving } from '../../test/contained/plugin-folders.ts'

let folders: MadeFolders
let app: App

beforeAll(async () => {
  folders = await makeFolders([
    serving(
      'reads-json',
      `services.routes.add((app) => {
        app.get('/api/reads-json/socket', { websocket: true, config: { access: 'public' } }, (socket) => {
          socket.on('message', (data) => socket.send(String(JSON.parse(String(data)).word)))
        })
        app.get('/api/reads-json/own', { websocket: true, config: { access: 'session' } }, (socket, { caller }) => {
          socket.send(caller.username)
        })
      })`,
    ),
  ])
  const env = { PLUGIN_DIRS: folders.path, SHUTDOWN_SECONDS: '600' }
  app = await startApp({ env, plugins: ['reads-json'] })
})

afterAll(async () => {
  await app.close()
  await folders.remove()
})

async function dial(): Promise<WebSocket> {
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/api/reads-json/socket`)
  await once(socket, 'open')
  return socket
}

it('ends the socket whose listener throws, names the plugin, and serves the others on', async () => {
  const [broken, other] = [await dial(), await dial()]
  broken.send('no JSON')
  const [closed] = (await once(broken, 'close')) as [CloseEvent]
  expect(closed.code).toBe(1011)
  const answered = once(other, 'message')
  other.send('{"word":"still here"}')
  const [message] = (await answered) as [MessageEvent]
  expect(message.data).toBe('still here')
  other.close()
  await expect
    .poll(() => app.process.log())
    .toMatch(/"plugin":"reads-json".*a WebSocket of a plugin failed/)
})

it('logs a message that is no text as what a client did, not as a fault', async () => {
  const socket = new Client(`${app.url.replace('http', 'ws')}/api/reads-json/socket`)
  await once(socket, 'open')
  socket.send(Buffer.from([0xff]), { binary: false })
  const [code] = (await once(socket, 'close')) as [number]
  expect(code).toBe(1007)
  const lines = () => app.process.log().split('\n')
  await expect.poll(() => lines().find((line) => line.includes('WS_ERR_'))).toBeDefined()
  const line = lines().find((text) => text.includes('WS_ERR_')) ?? ''
  expect(JSON.parse(line)).toMatchObject({ level: 30, code: 'WS_ERR_INVALID_UTF8' })
})

it('opens a socket to the session of a browser, which can send no header of its own', async () => {
  const address = `${app.url.replace('http', 'ws')}/api/reads-json/own`
  const socket = new Client(address, { headers: { cookie: app.root.sessionCookie } })
  const [name] = (await once(socket, 'message')) as [Buffer]
  expect(String(name)).toBe('root')
  socket.close()
  const [refused] = (await once(new Client(address), 'error')) as [Error]
  expect(refused.message).toContain('Unexpected server response')
})

it('is told that the gateway goes, which waits neither for it nor for one that says nothing', async () => {
  const told = await dial()
  const silent = new Client(`${app.url.replace('http', 'ws')}/api/reads-json/socket`)
  await once(silent, 'open')
  silent.pause()
  const closed = once(told, 'close')
  await app.process.stop()
  const [{ code }] = (await closed) as [CloseEvent]
  expect(code).toBe(1001)
  silent.terminate()
})
