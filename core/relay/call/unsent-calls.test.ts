// A client that leaves while its call waits, before anything was sent: no upstream hears of it, and nobody pays.
import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { balanceOf, consumptionRows, relayRoom, sendJson } from '#test'

const held = ['relay.admit', 'relay.send']
const room = relayRoom({
  channels: [
    { models: [...held, 'm-plain'].join() },
    { models: 'm-picture', type: 24 },
    { models: 'mj_imagine', type: 2 },
  ],
  priced: [...held, 'm-picture', 'm-plain'],
  plugins: ['slow-gate'],
  env: {
    PLUGIN_DIRS: fileURLToPath(new URL('../../../test/samples', import.meta.url)),
    SSRF_ALLOW: '127.0.0.0/8',
  },
  customer: 'left',
  isAnew: true,
})

/** A server of pictures that keeps its visitors waiting. */
const pictures = createServer()
pictures.listen(0, '127.0.0.1')
afterAll(() => {
  pictures.closeAllConnections()
  pictures.close()
})
const pictureUrl = () => `http://127.0.0.1:${(pictures.address() as AddressInfo).port}/a.png`

beforeEach(() => {
  room.upstream.calls.length = 0
  room.upstream.behave((response) =>
    sendJson(response, {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    }),
  )
})

/** A call that is under way, and how its client leaves. */
function call(path: string, body: object) {
  const sent = request(room.app.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${room.customer.key}`,
      'content-type': 'application/json',
    },
  })
  sent.on('error', () => undefined).end(JSON.stringify(body))
  return {
    leave: async () => {
      const closed = new Promise<void>((resolve) => void sent.once('close', resolve))
      sent.destroy()
      await closed
      // What the gateway is asked after this it reads after the end of that connection.
      for (let time = 0; time < 3; time += 1) await (await fetch(`${room.app.url}/healthz`)).text()
    },
  }
}

const isWaiting = () => expect.poll(() => room.app.root.get('/api/slow-gate/waiting')).toBe(1)

const open = () => room.app.root.get('/api/slow-gate/open')

async function expectNothing(): Promise<void> {
  const row = await vi.waitFor(() => room.lastRow(), 30_000)
  expect(row).toMatchObject({ quota: 0, prompt_tokens: 0, completion_tokens: 0, channel: 0 })
  expect(JSON.parse(row.other)).toMatchObject({
    end: 'client_left_unsent',
    status: 499,
    admin_info: { use_channel: [] },
  })
  expect(room.upstream.calls).toEqual([])
  expect(await balanceOf(room.customer)).toBe(10_000_000)
}

const messages = [{ role: 'user', content: 'Hi' }]

describe('a client that leaves', () => {
  it.each(held)('while a hook of %s is waited for has its call not sent', async (model) => {
    const { leave } = call('/v1/chat/completions', { model, messages })
    await isWaiting()
    await leave()
    await open()
    await expectNothing()
  })

  it.each([false, true])('before a picture has come, stream %s', async (stream) => {
    const asked = once(pictures, 'request') as Promise<[unknown, ServerResponse]>
    const content = [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: pictureUrl() } },
    ]
    const { leave } = call('/v1/chat/completions', {
      model: 'm-picture',
      stream,
      messages: [{ role: 'user', content }],
    })
    const [, response] = await asked
    await leave()
    response.writeHead(200, { 'content-type': 'image/png' }).end('PNG')
    await expectNothing()
  })

  it('while a hook is waited for has its task not sent', async () => {
    const { leave } = call('/mj/submit/imagine', { prompt: 'a cat' })
    await isWaiting()
    await leave()
    await open()
    await expectNothing()
    const tasks = await room.customer.client.get<{ items?: unknown[] }>('/api/mj/self?p=0')
    expect(tasks.items ?? tasks).toEqual([])
  })

  it('before its call is repeated has it sent once', async () => {
    await room.app.root.put('/api/option/', { key: 'RetryTimes', value: '1' })
    room.upstream.behave((response) => sendJson(response, { error: { message: 'no' } }, 500))
    const { leave } = call('/v1/chat/completions', { model: 'relay.send', messages })
    await isWaiting()
    await open()
    await expect.poll(() => room.upstream.calls).toHaveLength(1)
    await isWaiting()
    await leave()
    await open()
    // Whatever was to be sent would be before this one, which ends after it.
    await (await room.post('/v1/chat/completions', { model: 'm-plain', messages })).text()
    expect(room.upstream.calls.map(({ body }) => body['model'])).toEqual([
      'relay.send',
      'm-plain',
      'm-plain',
    ])
    expect(await consumptionRows(room.app.root, room.customer.username)).toEqual([])
    expect(await balanceOf(room.customer)).toBe(10_000_000)
  })
})
