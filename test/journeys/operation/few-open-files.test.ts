// A process that may have few files open, and somebody who opens connections and says nothing.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addChannel, addCustomer, type App, fakeUpstream, setPrice, startApp } from '#test'

const model = 'gpt-4o'
let app: App
let upstream: Awaited<ReturnType<typeof fakeUpstream>>
let key: string

beforeAll(async () => {
  upstream = await fakeUpstream()
  app = await startApp({ prefix: ['prlimit', '--nofile=256:256'] })
  await setPrice(app.root, model, 1)
  await addChannel(app.root, { type: 1, base_url: upstream.url, models: model, name: 'one' })
  key = (await addCustomer(app.root, 'ada', 1_000_000)).key
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

it('serves those who are connected, drops who comes beyond, and serves all once they have left', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect(await call(agent)).toBe(200)
  const silent = await open(300)
  const dropped = silent.filter((socket) => socket.closed)
  expect(dropped.length).toBeGreaterThan(200)
  expect(await call(agent)).toBe(200)
  for (const socket of silent) socket.destroy()
  agent.destroy()
  await expect.poll(() => call().catch(() => 0)).toBe(200)
})

it('blames no channel when there is no file for a connection to its upstream', async () => {
  await app.root.put('/api/option/', { key: 'AutomaticDisableChannelEnabled', value: 'true' })
  await app.root.put('/api/option/', { key: 'AutomaticDisableKeywords', value: 'could not\nfiles' })
  const other = await fakeUpstream()
  const id = await addChannel(app.root, { base_url: other.url, models: 'unreached', name: 'two' })
  await setPrice(app.root, 'unreached', 1)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect(await call(agent)).toBe(200)
  const limit = (files: string) =>
    spawnSync('prlimit', ['--pid', String(app.process.pid), `--nofile=${files}:`]).status
  expect(limit('1')).toBe(0)
  expect(await call(agent, 'unreached')).toBe(503)
  expect(limit('256')).toBe(0)
  expect(await call(agent, 'unreached')).toBe(200)
  const shown = await app.root.get<{ status: number }>(`/api/channel/${id}`)
  expect(shown).toMatchObject({ status: 1 })
  agent.destroy()
  await other.close()
})

/** Each has been accepted, or was closed by the gateway. */
async function open(count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(app.url)
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname))
  for (const socket of sockets) socket.on('error', () => undefined)
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)))
  await expect.poll(() => sockets.filter((socket) => socket.closed).length).toBeGreaterThan(200)
  return sockets
}

function call(agent?: Agent, asked = model): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const made = request(
      `${app.url}/v1/chat/completions`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(agent ? { agent } : {}),
      },
      (response) => response.resume().on('end', () => resolve(response.statusCode)),
    )
    made.on('error', reject)
    made.end(JSON.stringify({ model: asked, messages: [{ role: 'user', content: 'hi' }] }))
  })
}
