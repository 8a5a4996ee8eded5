// Clients and upstreams whose connection is still open for the gateway, while nothing arrives any more: a phone without a network, a machine that was
// switched off.
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { addChannel, addCustomer, type App, consumptionRows, type Customer, startApp } from '#test'
import {
  type Frame,
  FrameClient,
  sendFrame as send,
} from '../../../test/harness/counterparts/frame-clients.ts'
import { FrameUpstream } from '../../../test/harness/counterparts/frame-upstream.ts'
import { tcpGate, type TcpGate } from '../../../test/harness/faults/tcp-gate.ts'

const model = 'gpt-live-1.1'

let app: App
let upstream: FrameUpstream
/** Before the gateway, and before its upstream. */
let gate: TcpGate
let upstreamGate: TcpGate
let customer: Customer

beforeAll(async () => {
  upstream = await FrameUpstream.open()
  app = await startApp({ isWithin: true })
  upstreamGate = await tcpGate({ host: '127.0.0.1', port: Number(new URL(upstream.url).port) })
  await addChannel(app.root, { base_url: `http://127.0.0.1:${upstreamGate.port}`, models: model })
  customer = await addCustomer(app.root, 'caller', 10_000_000)
  const { hostname, port } = new URL(app.url)
  gate = await tcpGate({ host: hostname, port: Number(port) })
})

beforeEach(() => {
  upstream.respond = (socket, { type }) => {
    if (type === 'session.ask') send(socket, { type: 'session.told' })
    if (type === 'session.start') send(socket, { type: 'session.started', event_id: 'e1' })
    if (type === 'session.close') {
      send(socket, { type: 'session.closed', event_id: 'e9', usage: { seconds: 50 } })
      socket.close()
    }
  }
  // Only the pings and what is looked at once a second; everything else goes by real time.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})

afterEach(() => {
  vi.useRealTimers()
  for (const { open } of [gate, upstreamGate]) open()
  upstream.dropAll()
})

afterAll(async () => {
  await gate.close()
  await app.close()
  await upstreamGate.close()
  upstream.close()
})

async function opened(path: string): Promise<FrameClient> {
  const client = new FrameClient(`http://127.0.0.1:${gate.port}${path}`, customer.key)
  await once(client.socket, 'open')
  return client
}

async function started(): Promise<FrameClient> {
  const client = await opened('/v1/live/sessions')
  client.send({ type: 'session.start', session: { model } })
  await client.frame('session.started')
  return client
}

const pass = () => vi.advanceTimersByTimeAsync(25_000)
/** As long as nobody is taken for gone. */
const patience = [1, 2, 3, 4]

/** Of a client that has read nothing for a while. */
async function expectOpen(client: FrameClient): Promise<void> {
  client.socket.resume()
  client.send({ type: 'session.ask' })
  await Promise.race([client.frame('session.told'), client.closed])
  expect(client.frames.at(-1)).toMatchObject({ type: 'session.told' })
  client.socket.close()
  await client.closed
}

describe('a session', () => {
  it('ends two minutes after its client, and is charged no further', async () => {
    const client = await started()
    gate.hold()
    for (const _ of patience) await pass()
    await pass()
    await expect.poll(() => upstream.typesHeard).toContain('session.close')
    await expect.poll(() => consumptionRows(app.root, customer.username)).toHaveLength(1)
    gate.open()
    client.socket.terminate()
  })

  it('goes on while its client answers, or speaks', async () => {
    const heard = () => upstream.typesHeard.filter((type) => type === 'session.update').length
    upstream.heard = []
    const client = await started()
    for (let time = 1; time <= 4; time += 1) {
      const pinged = once(client.socket, 'ping')
      await pass()
      await pinged
      // Comes behind the answer to the ping.
      client.send({ type: 'session.update', session: {} } satisfies Frame)
      await expect.poll(heard).toBe(time)
    }
    client.socket.close()
    await client.closed
  })

  it('goes on with a client that reads nothing for a while, as one that runs a tool', async () => {
    const client = await started()
    client.socket.pause()
    for (const _ of patience) await pass()
    await expectOpen(client)
  })
})

// The thread that pings for Python's websocket-client does so while the other one runs a tool.
it('a session goes on with a client that reads nothing, but pings', async () => {
  const client = await started()
  client.socket.pause()
  for (const _ of [...patience, ...patience]) {
    client.socket.ping()
    // The ping has come by then.
    await fetch(`http://127.0.0.1:${gate.port}/healthz`)
    await pass()
  }
  await expectOpen(client)
})

describe('a session whose upstream has vanished', () => {
  /** What the client has said until now has arrived. */
  async function heard({ socket }: FrameClient): Promise<void> {
    const answered = once(socket, 'pong')
    socket.ping()
    await answered
  }

  it('ends after two minutes, as one that was broken off', async () => {
    const rows = () => consumptionRows(app.root, customer.username)
    const before = (await rows()).length
    const client = await started()
    await pass()
    client.send({ type: 'session.ask' })
    await client.frame('session.told')
    upstreamGate.hold()
    for (const _ of [...patience, 'the end']) {
      await heard(client)
      await pass()
    }
    expect((await client.closed).code).toBe(1011)
    await expect.poll(async () => (await rows()).length).toBe(before + 1)
    expect((await rows())[0]?.other).toContain('upstream_cut')
  })

  it('goes on where the upstream has never answered a ping', async () => {
    upstream.greet = (socket) => {
      // Of `ws`: nothing is answered by itself.
      Object.assign(socket, { _autoPong: false })
    }
    const client = await started()
    for (const _ of [...patience, 'and more', 'and more']) {
      await heard(client)
      await pass()
    }
    client.send({ type: 'session.ask' })
    await client.frame('session.told')
    upstream.greet = () => undefined
    client.socket.close()
    await client.closed
  })
})

it('a Responses socket ends two minutes after its client', async () => {
  const client = await opened('/v1/responses')
  gate.hold()
  for (const _ of patience) await pass()
  await pass()
  gate.open()
  await client.closed
})
