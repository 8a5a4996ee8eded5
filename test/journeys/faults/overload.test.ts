// More calls than one process takes: the rest is refused at once, for nothing, and those under way end as if nothing had been.
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { balanceOf, consumptionRows } from '#test'
import { relayRoom } from '../../harness/relay-room.ts'
import { openEnded } from '../../harness/chat-chunks.ts'
import { metric, metricsToken } from '../../harness/metrics-reader.ts'

const model = 'busy'
const most = 2
/** On a machine that has other things to do. */
const room = relayRoom({
  channels: [{ models: model }],
  priced: [model],
  customer: 'crowd',
  balance: 1_000_000,
  isAnew: true,
  env: { OPEN_CALLS_MAX: String(most), METRICS_TOKEN: metricsToken, DRAIN_SECONDS: '600' },
})

const chat = { model, stream: true, messages: [{ role: 'user', content: 'Hi' }] }

/** As many as there is place for; each has begun to answer. */
function crowd(): Promise<Response[]> {
  return Promise.all(Array.from({ length: most }, () => room.post('/v1/chat/completions', chat)))
}

const refusals = [
  {
    path: '/v1/chat/completions',
    body: chat,
    refusal: { error: { code: 'gateway_overloaded', type: 'server_error' } },
  },
  {
    path: '/v1/responses',
    body: { model, input: 'Hi' },
    refusal: { error: { code: 'gateway_overloaded', type: 'server_error' } },
  },
  {
    path: '/v1/messages',
    body: { ...chat, max_tokens: 10 },
    refusal: { type: 'error', error: { type: 'overloaded_error' } },
  },
  {
    path: `/v1beta/models/${model}:generateContent`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    refusal: { error: { code: 503, status: 'UNAVAILABLE' } },
  },
  {
    path: '/v1/embeddings',
    body: { model, input: 'Hi' },
    refusal: { error: { code: 'gateway_overloaded' } },
  },
]

describe('a gateway with as many calls open as it takes', () => {
  it('answers the next in its dialect, at once and for nothing, and its console as ever', async () => {
    const shedBefore = await metric(room.app, 'tollgate_calls_shed_total')
    const finish = openEnded(room.upstream)
    const answers = await crowd()
    const reached = room.upstream.calls.length
    for (const { path, body, refusal } of refusals) {
      const key = room.customer.key
      const headers = { 'x-api-key': key, 'x-goog-api-key': key }
      const refused = await room.post(path, body, headers)
      expect(refused.status, path).toBe(503)
      expect(refused.headers.get('retry-after'), path).toMatch(/^[1-9]\d*$/)
      expect(await refused.json(), path).toMatchObject(refusal)
    }
    expect(room.upstream.calls).toHaveLength(reached)
    for (const path of ['/healthz', '/readyz', '/api/status'])
      expect((await fetch(room.app.url + path)).status, path).toBe(200)
    expect(await balanceOf(room.customer)).toBe(1_000_000)
    expect(await metric(room.app, 'tollgate_open_calls')).toBe(most)
    expect((await metric(room.app, 'tollgate_calls_shed_total')) - shedBefore).toBe(refusals.length)
    finish()
    for (const answer of answers) expect(await answer.text()).toContain('[DONE]')
    expect(await (await room.post('/v1/chat/completions', chat)).text()).toContain('[DONE]')
    const rows = await consumptionRows(room.app.root, room.customer.username)
    expect(rows.map(({ quota }) => quota)).toEqual([15, 15, 15])
    expect(await balanceOf(room.customer)).toBe(1_000_000 - 45)
  })

  it('does not read the body of what it refuses', async () => {
    const finish = openEnded(room.upstream)
    const answers = await crowd()
    const call = request(`${room.app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${room.customer.key}`, 'content-length': '1000000' },
    })
    call.on('error', () => undefined)
    const status = new Promise((resolve) => {
      call.once('response', (response) => resolve(response.resume().statusCode))
    })
    call.write('{')
    expect(await status).toBe(503)
    call.destroy()
    finish()
    for (const answer of answers) await answer.text()
  })

  it('counts those whose client has left until their answer has been read', async () => {
    const finish = openEnded(room.upstream)
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${room.customer.key}` }
    const calls = Array.from({ length: most }, () =>
      fetch(`${room.app.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(chat),
        signal: leaving.signal,
      }),
    )
    await Promise.all(calls)
    leaving.abort()
    // The one that asks is open itself.
    await expect.poll(() => metric(room.app, 'tollgate_requests_in_flight')).toBe(1)
    expect(await metric(room.app, 'tollgate_open_calls')).toBe(most)
    expect((await room.post('/v1/chat/completions', chat)).status).toBe(503)
    finish()
    await expect.poll(() => metric(room.app, 'tollgate_open_calls')).toBe(0)
    expect(await consumptionRows(room.app.root, room.customer.username)).toHaveLength(most)
    expect((await room.post('/v1/chat/completions', chat)).status).toBe(200)
  })
})
