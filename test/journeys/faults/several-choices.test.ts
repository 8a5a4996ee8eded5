// An upstream that gives several choices to clients whose dialect has one.
import { describe, expect, it } from 'vitest'
import { relayRoom } from '../../harness/relay-room.ts'
import { sendJson, writeEvents } from '../../harness/scripted-upstream.ts'

// Chat is all that it speaks.
const room = relayRoom({ channels: [{ models: 'd', type: 43 }], priced: ['d'], customer: 'caller' })

const messages = [{ role: 'user', content: 'Hi' }]
const asks = {
  messages: (stream: boolean) =>
    room.post('/v1/messages', { model: 'd', max_tokens: 50, stream, messages }),
  responses: (stream: boolean) => room.post('/v1/responses', { model: 'd', stream, input: 'Hi' }),
}
const usage = { prompt_tokens: 10, completion_tokens: 5 }
const chatAnswer = (choices: readonly object[]) => ({
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'd',
  choices,
  usage,
})

describe('several choices for a client whose dialect has one', () => {
  const whole = chatAnswer(
    ['one', 'two'].map((content, index) => ({
      index,
      message: { role: 'assistant', content },
      finish_reason: index === 0 ? 'stop' : 'length',
    })),
  )
  const pieces = [
    [1, 'two'],
    [0, 'one'],
    [1, ' two'],
    [0, ' one'],
  ].map(([index, content]) => ({ ...whole, choices: [{ index, delta: { content } }] }))
  const ends = [1, 0].map((index) => ({
    ...whole,
    choices: [{ index, delta: {}, finish_reason: index === 0 ? 'stop' : 'length' }],
  }))

  it.each(['messages', 'responses'] as const)(
    'are the first, and the row says so: %s',
    async (ask) => {
      for (const isStream of [false, true]) {
        room.upstream.behave((response) => {
          if (!isStream) return sendJson(response, whole)
          writeEvents(response, [...pieces, ...ends, 'data: [DONE]\n\n'])
          response.end()
        })
        const text = await (await asks[ask](isStream)).text()
        expect(text).toContain('one')
        expect(text).not.toContain('two')
        expect(text).not.toContain('max_tokens"}')
        expect(text).not.toContain('incomplete"')
        const row = await room.lastRow()
        expect(row.quota).toBe(15)
        expect(JSON.parse(row.other)).toMatchObject({ dropped_params: ['choices'] })
      }
    },
  )
})
