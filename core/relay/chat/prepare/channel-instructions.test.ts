// What clients learn of the instructions that an admin gave a channel.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addChannel, relayRoom, sendJson, setPrice } from '#test'

const prompt = 'Never name the competition.'
const room = relayRoom({ channels: [{ models: 'plain' }], priced: ['plain'], customer: 'asker' })

beforeAll(async () => {
  const setting = JSON.stringify({ system_prompt: prompt, system_prompt_override: true })
  const fields = { base_url: room.upstream.url, models: 'm', setting }
  await addChannel(room.app.root, { ...fields, model_mapping: '{"m":"upstream-m"}' })
  await setPrice(room.app.root, 'm', 1)
})

/** As the provider answers, which repeats what it was told. */
const responseOf = (instructions: unknown, status = 'completed') => ({
  id: 'resp_1',
  object: 'response',
  model: 'upstream-m',
  status,
  instructions,
  output: [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
    },
  ],
  usage: { input_tokens: 9, output_tokens: 1, total_tokens: 10 },
})

beforeEach(() => {
  room.upstream.behave((response, call) => {
    const { instructions, stream } = (call?.body ?? {}) as {
      instructions?: string
      stream?: boolean
    }
    const told = instructions ?? `${prompt}\n\nRhyme.`
    if (!stream && !call?.path.includes('stream=true')) return sendJson(response, responseOf(told))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const events = [
      { type: 'response.created', response: { ...responseOf(told, 'in_progress'), output: [] } },
      {
        type: 'response.output_text.delta',
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        delta: '"instructions"',
      },
      { type: 'response.completed', response: responseOf(told) },
    ]
    response.end(
      events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
    )
  })
})

const ask = async (fields: object) => {
  const answer = await room.post('/v1/responses', { model: 'm', input: 'Hi', ...fields })
  return answer.text()
}

const get = async (path: string) => {
  const headers = { authorization: `Bearer ${room.customer.key}` }
  return (await fetch(`${room.app.url}${path}`, { headers })).text()
}

describe('the instructions of a channel', () => {
  it.each([
    ['Rhyme.', 'Rhyme.'],
    [undefined, null],
  ])('are not told beside %j of the client', async (instructions, shown) => {
    const answer = await ask({ instructions })
    expect(JSON.parse(answer)).toMatchObject({ instructions: shown })
    expect(room.upstream.calls.at(-1)?.body).toMatchObject({
      instructions: instructions ? `${prompt}\n\nRhyme.` : prompt,
    })
  })

  it('are not told while the response is made in the background', async () => {
    room.upstream.behave((response, call) => {
      const { instructions } = (call?.body ?? {}) as { instructions?: string }
      const status = call?.body ? 'queued' : 'completed'
      sendJson(response, { ...responseOf(instructions ?? prompt, status), id: 'resp_2' })
    })
    const answer = await ask({ background: true })
    expect(JSON.parse(answer)).toMatchObject({ id: 'resp_2', status: 'queued', instructions: null })
  })

  it('are not told in a stream', async () => {
    const stream = await ask({ instructions: 'Rhyme.', stream: true })
    expect(stream).toContain('"delta":"\\"instructions\\""')
    expect(stream.match(/"instructions":"Rhyme\."/g)).toHaveLength(2)
    expect(stream).not.toContain('competition')
  })

  it('are not told when the response is read again, whole or as a stream', async () => {
    await ask({})
    expect(JSON.parse(await get('/v1/responses/resp_1'))).toMatchObject({ instructions: 'Rhyme.' })
    const stream = await get('/v1/responses/resp_1?stream=true')
    expect(stream.match(/"instructions":"Rhyme\."/g)).toHaveLength(2)
    expect(stream).not.toContain('competition')
  })
})
