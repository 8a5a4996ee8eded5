import { describe, expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'

const room = relayRoom({
  channels: [
    { models: 'm' },
    { models: 'of-google', type: 24 },
    { models: 'two-keys', key: 'sk-one\nsk-two', setting: JSON.stringify({ multi_key: true }) },
    { models: 'two-channels', name: 'one' },
    { models: 'two-channels', name: 'other' },
  ],
  priced: ['m', 'of-google', 'two-keys', 'two-channels'],
  customer: 'patient',
})

async function retryAfterOf(
  status: number,
  headers: Record<string, string>,
): Promise<string | null> {
  room.upstream.behave((response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message: 'not now', type: 'busy' } }))
  })
  const messages = [{ role: 'user', content: 'Hi' }]
  const answer = await room.post('/v1/messages', { model: 'm', max_tokens: 9, messages })
  expect(answer.status).toBe(status)
  return answer.headers.get('retry-after')
}

it.each([429, 503, 529])('goes on with a refusal that time mends: %d', async (status) => {
  expect(await retryAfterOf(status, { 'retry-after': '17' })).toBe('17')
})

it.each([
  [429, '1'],
  [503, '5'],
  [529, null],
])('is %d’s usual wait where the upstream names none: %s', async (status, wait) => {
  expect(await retryAfterOf(status, {})).toBe(wait)
})

// The header knows whole seconds only (RFC 9110, 10.2.3): urllib3 fails on a fraction, Go's clients do not see one.
it('is told in whole seconds where Google names parts of one', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '31.5s' }]
  const error = { code: 429, message: 'Not now.', status: 'RESOURCE_EXHAUSTED', details }
  room.upstream.behave((response) => sendJson(response, { error }, 429))
  const messages = [{ role: 'user', content: 'Hi' }]
  const answer = await room.post('/v1/chat/completions', { model: 'of-google', messages })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '32'])
})

it('is named to nobody whose upstream has no money left, though the status is that of a limit', async () => {
  const error = { message: 'You exceeded your current quota.', type: 'insufficient_quota' }
  room.upstream.behave((response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
    response.end(JSON.stringify({ error: { ...error, code: 'insufficient_quota' } }))
  })
  const messages = [{ role: 'user', content: 'Hi' }]
  const types: Record<string, unknown> = {
    '/v1/chat/completions': { type: 'insufficient_quota', code: 'insufficient_quota' },
    '/v1/messages': { type: 'billing_error' },
    '/v1beta/models/m:generateContent': { status: 'PERMISSION_DENIED' },
  }
  const contents = [{ parts: [{ text: 'Hi' }] }]
  for (const [path, type] of Object.entries(types)) {
    const answer = await room.post(path, { model: 'm', max_tokens: 9, messages, contents })
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toBeNull()
    expect(answer.headers.get('x-should-retry')).toBe('false')
    expect(await answer.json()).toMatchObject({ error: type })
  }
})

it.each([
  [429, 'rate_limit_error'],
  [529, 'server_error'],
])('and %d is %s to a client of OpenAI', async (status, type) => {
  room.upstream.behave((response) =>
    sendJson(response, { error: { message: 'Later.', type: 'overloaded_error' } }, status),
  )
  const messages = [{ role: 'user', content: 'Hi' }]
  const answer = await room.post('/v1/chat/completions', { model: 'm', messages })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('x-should-retry')).toBeNull()
  expect(await answer.json()).toMatchObject({ error: { type } })
})

it('is 503 to a client of Gemini, whose SDKs repeat no 529', async () => {
  room.upstream.behave((response) =>
    sendJson(response, { error: { message: 'Later.', type: 'overloaded_error' } }, 529),
  )
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
  const answer = await room.post('/v1beta/models/m:generateContent', { contents })
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ error: { code: 503, status: 'UNAVAILABLE' } })
})

it.each([400, 500])('stays behind where waiting mends nothing: %d', async (status) => {
  expect(await retryAfterOf(status, { 'retry-after': '17' })).toBeNull()
})

describe('a channel that is repeated', () => {
  /** What a client gets, and when, if the upstream names these waits in turn. */
  async function limited(model: string, waits: readonly string[]) {
    await room.app.root.put('/api/option/', { key: 'RetryTimes', value: '3' })
    room.upstream.calls.length = 0
    room.upstream.behave((response) => {
      response.setHeader('retry-after', waits[room.upstream.calls.length - 1] ?? waits.at(-1) ?? '')
      sendJson(response, { error: { message: 'Slow down.', type: 'rate_limit' } }, 429)
    })
    const startedAt = performance.now()
    const messages = [{ role: 'user', content: 'Hi' }]
    const { status, headers } = await room.post('/v1/chat/completions', { model, messages })
    await room.app.root.put('/api/option/', { key: 'RetryTimes', value: '0' })
    const seconds = (performance.now() - startedAt) / 1000
    expect(status).toBe(429)
    return { retryAfter: headers.get('retry-after'), seconds, calls: room.upstream.calls.length }
  }

  it('is not waited for where its time is far off: the client learns it at once', async () => {
    const { seconds, ...seen } = await limited('m', ['60'])
    expect(seen).toEqual({ retryAfter: '60', calls: 1 })
    expect(seconds).toBeLessThan(30)
  })

  it('has five seconds of its call in all', async () => {
    const { seconds, ...seen } = await limited('m', ['1', '5'])
    expect(seen).toEqual({ retryAfter: '5', calls: 2 })
    expect(seconds).toBeGreaterThanOrEqual(1)
  })

  it.each(['two-keys', 'two-channels'])('has both its places tried at once: %s', async (model) => {
    const { seconds, ...seen } = await limited(model, ['60'])
    expect(seen).toEqual({ retryAfter: '60', calls: 2 })
    expect(seconds).toBeLessThan(30)
  })
})
