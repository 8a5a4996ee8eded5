import { expect, it } from 'vitest'
import { relayRoom } from '#test'

const room = relayRoom({ channels: [{ models: 'm' }], priced: ['m'], customer: 'patient' })

async function waitTold(status: number, headers: Record<string, string>): Promise<string | null> {
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
  expect(await waitTold(status, { 'retry-after': '17' })).toBe('17')
})

it.each([
  [429, '1'],
  [503, '5'],
  [529, null],
])('is %d’s usual wait where the upstream names none: %s', async (status, wait) => {
  expect(await waitTold(status, {})).toBe(wait)
})

it.each([400, 500])('stays behind where waiting mends nothing: %d', async (status) => {
  expect(await waitTold(status, { 'retry-after': '17' })).toBeNull()
})
