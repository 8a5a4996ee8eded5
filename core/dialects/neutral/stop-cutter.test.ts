// White space as a stop sequence, which Claude refuses.
import { describe, expect, it } from 'vitest'
import type { AnswerHints, SseEvent } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'

const claude = codecs['anthropic-messages']

function asked(stop: string[]) {
  const hints: AnswerHints = {}
  const dropped: string[] = []
  const request = codecs['openai-chat'].parseRequest(
    { model: 'm', messages: [{ role: 'user', content: 'Hi' }], stop },
    {},
  )
  const target = {
    upstreamModel: 'claude-opus-4-5',
    dropped,
    option: () => undefined as never,
    hints,
  }
  return { hints, dropped, body: claude.buildRequest(request, target) }
}

const event = (data: JsonObject): SseEvent => ({
  event: String(data['type']),
  data: JSON.stringify(data),
  raw: '',
})
const text = (delta: string) =>
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: delta } })
const start = event({
  type: 'message_start',
  message: { id: 'm', model: 'm', usage: { input_tokens: 7, output_tokens: 1 } },
})
const opened = event({ type: 'content_block_start', index: 0, content_block: { type: 'text' } })
const ended = event({
  type: 'message_delta',
  delta: { stop_reason: 'end_turn' },
  usage: { output_tokens: 40 },
})

function streamed(stop: string[], pieces: readonly string[], more: readonly SseEvent[] = []) {
  const parser = claude.streamParser(asked(stop).hints)
  const events: ChatEvent[] = []
  for (const one of [start, opened, ...pieces.map(text)]) events.push(...parser.push(one))
  const wasComplete = parser.isComplete
  for (const one of more) events.push(...parser.push(one))
  events.push(...parser.end())
  const answerText = events.flatMap((one) => (one.type === 'text' ? [one.delta] : [])).join('')
  const finish = events.filter((one) => one.type === 'finish')
  const usage = events.findLast((one) => one.type === 'usage')?.usage
  return { answerText, finish, usage, wasComplete }
}

describe('stop sequences of white space', () => {
  it('are not sent, the others are', () => {
    const { body, hints, dropped } = asked(['\n', 'END', '', ' \t'])
    expect(body.stop_sequences).toEqual(['END'])
    expect(hints.stops).toEqual(['\n', ' \t'])
    expect(dropped).toEqual([])
    expect(asked(['\n']).body).not.toHaveProperty('stop_sequences')
    expect(asked([' '.repeat(10_000)]).dropped).toEqual(['stop'])
  })

  it('end a stream where the first begins, cut as it may be', () => {
    for (const pieces of [['One\n\ntwo'], ['One\n', '\ntwo'], ['One', '\n', '\n', 'two']]) {
      const { answerText, finish, usage, wasComplete } = streamed(['\n\n'], pieces)
      expect(answerText).toBe('One')
      expect(finish).toMatchObject([{ reason: 'stop_sequence', stopSequence: '\n\n' }])
      expect(wasComplete).toBe(true)
      // Its one token was but the beginning: what came is counted by us.
      expect(usage).toMatchObject({ input: 7, output: 0 })
    }
  })

  it('leave the upstream the last word on what it used', () => {
    const { answerText, finish, usage } = streamed(['\n'], ['One\ntwo'], [text('three'), ended])
    expect(answerText).toBe('One')
    expect(finish).toHaveLength(1)
    expect(usage).toMatchObject({ output: 40 })
  })

  it('that never come take nothing away', () => {
    const { answerText, finish } = streamed(['\n\n'], ['One\n', 'two\n'], [ended])
    expect(answerText).toBe('One\ntwo\n')
    expect(finish).toMatchObject([{ reason: 'stop' }])
    expect(streamed(['\n\n'], ['One\n']).answerText).toBe('One\n')
  })

  it('end a whole answer', () => {
    const { hints } = asked(['\n'])
    const content = [
      { type: 'text', text: 'One\ntwo' },
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
    ]
    const usage = { input_tokens: 7, output_tokens: 40 }
    const body = { id: 'm', content, stop_reason: 'tool_use', usage }
    expect(claude.parseAnswer(body, hints).slice(1)).toMatchObject([
      { type: 'text', delta: 'One' },
      { type: 'finish', reason: 'stop_sequence' },
      { type: 'usage', usage: { output: 40 } },
    ])
  })
})
