import { expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'

const room = relayRoom({ channels: [{ models: 'm' }], priced: ['m'], customer: 'patient' })

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
  }
  for (const [path, type] of Object.entries(types)) {
    const answer = await room.post(path, { model: 'm', max_tokens: 9, messages })
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
