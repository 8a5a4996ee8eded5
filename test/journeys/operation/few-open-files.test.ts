// A process that may have few files open, and somebody who opens connections and says nothing.
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

/** Each has been accepted, or was closed by the gateway. */
async function open(count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(app.url)
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname))
  for (const socket of sockets) socket.on('error', () => undefined)
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)))
  await expect.poll(() => sockets.filter((socket) => socket.closed).length).toBeGreaterThan(200)
  return sockets
}

function call(agent?: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${app.url}/v1/chat/completions`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(agent ? { agent } : {}),
      },
      (response) => response.resume().on('end', () => resolve(response.statusCode)),
    )
    asked.on('error', reject)
    asked.end(JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }))
  })
}
