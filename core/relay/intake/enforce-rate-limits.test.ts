// Which answers count towards a limit of successes.
import { beforeAll, expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'

const room = relayRoom({
  channels: [{ models: 'm' }],
  priced: ['m'],
  customer: 'limited',
  isAnew: true,
})

beforeAll(async () => {
  for (const [name, value] of Object.entries({ Enabled: 'true', Count: '0', SuccessCount: '1' }))
    await room.app.root.put('/api/option/', { key: `ModelRequestRateLimit${name}`, value })
})

const message = { role: 'assistant', content: 'Hi' }
const good = { id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] }

async function answered(status: number): Promise<number> {
  room.upstream.behave((response) =>
    sendJson(response, status === 200 ? good : { error: { message: 'No.' } }, status),
  )
  const messages = [{ role: 'user', content: 'Hi' }]
  const answer = await room.post('/v1/chat/completions', { model: 'm', messages })
  await answer.text()
  return answer.status
}

it('a success does', async () => {
  expect(await answered(200)).toBe(200)
  expect(await answered(200)).toBe(429)
})

it.each([400, 404, 500])('an error that the upstream answers does not: %d', async (status) => {
  expect(await answered(status)).toBe(status)
  expect(await answered(status)).toBe(status)
  expect(await answered(200)).toBe(200)
})
