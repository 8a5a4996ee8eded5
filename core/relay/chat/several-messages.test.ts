// An answer of the Responses dialect may hold several messages, of which other dialects make one text.
import { describe, expect, it } from 'vitest'
import { anthropicClient, openaiClient, relayRoom, sendJson, writeEvents } from '#test'

const room = relayRoom({
  channels: [{ models: 'gpt-5-codex' }],
  priced: ['gpt-5-codex'],
  customer: 'reader',
})

const model = 'gpt-5-codex'
const messages = [{ role: 'user' as const, content: 'Hi' }]
const message = (id: string, text: string) => ({
  type: 'message',
  id,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})
type Item = Partial<ReturnType<typeof message>>
const output: Item[] = [
  message('msg_1', 'I look it up.'),
  { type: 'reasoning', id: 'rs_1' },
  message('msg_2', 'It is 7.'),
]
const usage = { input_tokens: 7, output_tokens: 9, total_tokens: 16 }
const response = { id: 'resp_1', object: 'response', status: 'completed', model, output, usage }

function deltasOf({ id, content }: Item, output_index: number): object[] {
  const pieces = content?.[0]?.text.match(/.{1,4}/g) ?? []
  return pieces.map((delta) => ({
    type: 'response.output_text.delta',
    item_id: id,
    output_index,
    content_index: 0,
    delta,
  }))
}

/** @param hasDeltas false: each message comes whole with its end, as some servers send it */
function streams(hasDeltas: boolean): void {
  const events = output.flatMap((item, output_index) => [
    { type: 'response.output_item.added', output_index, item: { ...item, content: [] } },
    ...(hasDeltas ? deltasOf(item, output_index) : []),
    { type: 'response.output_item.done', output_index, item },
  ])
  room.upstream.behave((answer) => {
    writeEvents(answer, [
      { type: 'response.created', response: { ...response, output: [] } },
      ...events,
      { type: 'response.completed', response },
    ])
    answer.end()
  })
}

const spoken = 'I look it up.\n\nIt is 7.'

describe('several messages of an answer', () => {
  it('stand apart in the text of another dialect', async () => {
    room.upstream.behave((answer) => sendJson(answer, response))
    const chat = openaiClient(room.app.url, room.customer.key).chat.completions
    const { choices } = await chat.create({ model, messages })
    expect(choices[0]?.message.content).toBe(spoken)
  })

  it.each([true, false])('stand apart in a stream, in pieces: %s', async (hasDeltas) => {
    streams(hasDeltas)
    const chat = openaiClient(room.app.url, room.customer.key).chat.completions
    expect(await chat.stream({ model, messages }).finalContent()).toBe(spoken)
    const claude = anthropicClient(room.app.url, room.customer.key).messages
    expect(await claude.stream({ model, messages, max_tokens: 99 }).finalText()).toContain(
      'It is 7.',
    )
  })
})
