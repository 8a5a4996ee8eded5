import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
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
      })`,
    ),
  ])
  app = await startApp({ env: { PLUGIN_DIRS: folders.path }, plugins: ['reads-json'] })
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
  const lines = app.process.log().split('\n')
  const line = lines.find((text) => text.includes('a WebSocket of a plugin failed'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ plugin: 'reads-json' })
})
