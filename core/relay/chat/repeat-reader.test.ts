import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SseEvent } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { codecs } from '../../dialects/index.ts'
import { RepeatReader } from './repeat-reader.ts'

const chunk = (content: string, more: object = {}): SseEvent => {
  const data = JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
    ...more,
  })
  return { event: undefined, data, raw: `data: ${data}\n\n` }
}

/** What the parser of the dialect says, for comparison. */
function parsed(event: SseEvent): ChatEvent[] {
  const parser = codecs['openai-chat'].streamParser()
  parser.push(chunk('start'))
  return parser.push({ ...event, json: undefined })
}

function taught(text: string): RepeatReader {
  const reader = new RepeatReader()
  const first = chunk(text)
  reader.learn(first, [{ type: 'text', delta: text }])
  return reader
}

describe('recognising events that repeat a frame', () => {
  it('reads whatever it recognises as the parser does', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (first, next) => {
          const event = chunk(next)
          const events = taught(first).read(event)
          if (events) expect(events).toEqual(parsed(event))
        },
      ),
    )
  })

  it('recognises plain texts', () => {
    expect(taught('Hel').read(chunk('lo'))).toEqual([{ type: 'text', delta: 'lo' }])
  })

  it.each([
    [
      'a finish reason',
      chunk('lo', { choices: [{ index: 0, delta: { content: 'lo' }, finish_reason: 'stop' }] }),
    ],
    ['usage', chunk('lo', { usage: { prompt_tokens: 1 } })],
    ['another id', chunk('lo', { id: 'chatcmpl-2' })],
    ['an error', chunk('lo', { error: { message: 'no' } })],
    ['a text with a quote', chunk('say "hi"')],
    ['an escaped text', chunk('a\nb')],
  ])('leaves an event with %s to the parser', (_what, event) => {
    expect(taught('Hel').read(event)).toBeUndefined()
  })

  it('learns nothing where the text stands twice', () => {
    const reader = new RepeatReader()
    reader.learn(chunk('m'), [{ type: 'text', delta: 'm' }])
    expect(reader.read(chunk('lo'))).toBeUndefined()
  })
})
