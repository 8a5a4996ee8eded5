import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#core'
import { codecs } from '../index.ts'
import { SseSplitter } from '../../wire/sse.ts'

/** How Google's Go SDK splits what it has read. https://github.com/googleapis/go-genai, api_client.go */
function eventsOfGo(text: string): unknown[] {
  const events: unknown[] = []
  for (let rest = text; rest !== ''; ) {
    const separator = rest.includes('\n\n') ? '\n\n' : '\r\n\r\n'
    const [event = '', ...others] = rest.split(separator)
    rest = others.join(separator)
    if (event.trim() !== '') events.push(JSON.parse(event.replace(/^data:/, '')))
  }
  return events
}

const meta = {
  requestId: 'r',
  requestedModel: 'm',
  createdSeconds: 1,
  includeUsage: true,
  estimatedInput: 1,
  legacyFunctions: false,
}
const error = {
  status: 503,
  code: null,
  message: 'The model is overloaded.',
  openaiType: 'server_error',
  anthropicType: 'api_error',
  geminiStatus: 'UNAVAILABLE',
  param: null,
  requestId: 'r',
}
const chunk = (text: string): JsonObject => ({ candidates: [{ content: { parts: [{ text }] } }] })

describe("events that the gateway writes among Google's own", () => {
  it.each(['\r\n', '\n'])('are split by its Go SDK, also an error (%j)', (line) => {
    const begun = ['Hel', 'lo'].map((text) => `data: ${JSON.stringify(chunk(text))}${line}${line}`)
    expect(eventsOfGo(begun.join('') + codecs.gemini.streamError(error))).toEqual([
      chunk('Hel'),
      chunk('lo'),
      { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
    ])
  })

  it('are split where one has lost a name', () => {
    const filter = codecs.gemini.passFilter(meta)
    const [plain, named] = ['', 'event: x\r\n'].map(
      (name) => `${name}data: ${JSON.stringify(chunk('a'))}\r\n\r\n`,
    )
    const events = new SseSplitter().push(Buffer.from(`${plain}${named}`))
    const passed = events.map((event) => filter(event, [])).join('')
    expect(passed).not.toContain('event:')
    expect(eventsOfGo(passed)).toEqual([chunk('a'), chunk('a')])
  })
})
