import { expect, it } from 'vitest'
import { relayRoom, sendJson } from '#test'

const room = relayRoom({
  channels: [{ models: 'claude-sonnet-4-5', type: 14 }],
  priced: ['claude-sonnet-4-5'],
  customer: 'counter',
})

const question = { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hi' }] }
const count = () => room.post('/v1/messages/count_tokens', question)

it('tells all that the upstream tells of a count', async () => {
  const told = { input_tokens: 7, context_management: { original_input_tokens: 70_000 } }
  room.upstream.behave((response) => sendJson(response, told))
  expect(await (await count()).json()).toEqual(told)
})

it.each([{ input_tokens: 'seven' }, { error: { message: 'busy' } }, []])(
  'estimates where the upstream counts nothing: %j',
  async (told) => {
    room.upstream.behave((response) => sendJson(response, told))
    expect(await (await count()).json()).toEqual({ input_tokens: expect.any(Number) as number })
  },
)
