// System messages in the middle of a conversation, as Anthropic's clients write them, at a model of another dialect.
import type Anthropic from '@anthropic-ai/sdk'
import { beforeEach, expect, it } from 'vitest'
import { anthropicClient, relayRoom, sendJson } from '#test'

const room = relayRoom({ channels: [{ models: 'm' }], priced: ['m'], customer: 'talker' })

beforeEach(() => {
  room.upstream.calls.length = 0
  const message = { role: 'assistant', content: 'Hi' }
  room.upstream.behave((response) =>
    sendJson(response, { id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
  )
})

type Message = Anthropic.Beta.BetaMessageParam
const user: Message = { role: 'user', content: 'Hi' }
const tool = (name: string) => ({ name, input_schema: { type: 'object' as const } })

async function sent(messages: Message[], tools: Anthropic.Beta.BetaTool[] = []) {
  const client = anthropicClient(room.app.url, room.customer.key)
  await client.beta.messages.create({ model: 'm', max_tokens: 9, messages, tools })
  const body = room.upstream.calls[0]?.body as {
    messages: { role: string; content: string }[]
    tools?: { function: { name: string } }[]
  }
  const [first] = body.messages
  return {
    system: first?.role === 'system' ? first.content : '',
    tools: body.tools?.map(({ function: { name } }) => name),
  }
}

it('say what holds for one turn until the next', async () => {
  const once: Message = { role: 'system', content: 'Be brief.', clear_at: 'next_user_message' }
  const always: Message = { role: 'system', content: 'Rhyme.', clear_at: 'never' }
  const answer: Message = { role: 'assistant', content: 'Yo' }
  expect((await sent([user, once])).system).toBe('Be brief.')
  room.upstream.calls.length = 0
  expect((await sent([user, once, answer, user, always])).system).toBe('Rhyme.')
  const { other } = await room.lastRow()
  expect(other).not.toContain('clear_at')
})

it('change the tools from then on', async () => {
  const reference = (name: string) => ({ type: 'tool_reference' as const, name })
  const changes: Message = {
    role: 'system',
    content: [
      { type: 'tool_removal', tool: reference('a') },
      { type: 'tool_removal', tool: reference('b') },
      { type: 'tool_addition', tool: reference('b') },
      { type: 'tool_addition', tool: { type: 'tool_definition', definition: tool('c') } },
      { type: 'tool_addition', tool: reference('unknown') },
    ],
  }
  expect(await sent([user, changes, user], [tool('a'), tool('b')])).toEqual({
    system: '',
    tools: ['b', 'c'],
  })
})
