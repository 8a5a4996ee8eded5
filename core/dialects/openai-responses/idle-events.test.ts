import { describe, expect, it } from 'vitest'
import type { SseEvent } from '../../contract/dialect.ts'
import { ResponsesStreamParser } from './parse-stream.ts'

function event(type: string, fields: object, name: string | undefined = type): SseEvent {
  const data = JSON.stringify({ type, sequence_number: 3, ...fields })
  return { event: name, data, raw: `event: ${name}\ndata: ${data}\n\n` }
}

const begun = { response: { id: 'r', model: 'm', instructions: 'long', error: null } }
const place = { item_id: 'i', output_index: 0, content_index: 0 }

function started(): ResponsesStreamParser {
  const parser = new ResponsesStreamParser()
  parser.push(event('response.created', begun))
  return parser
}

/** Whether an event was parsed; whoever did keeps what came of it. */
function isParsed(parser: ResponsesStreamParser, sent: SseEvent): boolean {
  expect(parser.push(sent)).toEqual([])
  return sent.json !== undefined
}

describe('events of a response that tell nothing new', () => {
  it.each([
    event('response.in_progress', begun),
    event('response.content_part.added', { ...place, part: { type: 'output_text', text: '' } }),
    event('response.output_text.done', { ...place, text: 'say "error": {' }),
    event('response.content_part.done', { ...place, part: { type: 'output_text', text: 'a' } }),
    event('response.function_call_arguments.done', { ...place, arguments: '{"error":{}}' }),
    event('response.of_tomorrow', { error: null }),
  ])('are not parsed: $event', (sent) => {
    expect(isParsed(started(), sent)).toBe(false)
  })

  it.each([
    ['another name', event('response.output_text.done', {}, 'response.of_tomorrow')],
    ['no name', { ...event('response.output_text.done', {}), event: undefined }],
    ['the type not first', { ...event('response.a', {}), data: '{"a":1,"type":"response.a"}' }],
  ])('are parsed with %s', (_what, sent) => {
    expect(isParsed(started(), sent)).toBe(true)
  })

  it('begin the answer where nothing came before them', () => {
    const parser = new ResponsesStreamParser()
    const [start] = parser.push(event('response.in_progress', begun))
    expect(start).toMatchObject({ type: 'start', id: 'r', model: 'm' })
  })

  it('are an error where they hold one', () => {
    const sent = event('response.of_tomorrow', { error: { message: 'no', code: 'x' } })
    expect(started().push(sent)).toMatchObject([{ type: 'error' }])
  })

  it('are refused where they were cut off', () => {
    const sent = event('response.output_text.done', { text: 'a' })
    expect(() => started().push({ ...sent, data: sent.data.slice(0, -3) })).toThrow(
      'The upstream sent an answer that cannot be read.',
    )
  })
})

describe('tools that ran', () => {
  const search = (id: string) => ({ type: 'web_search_call', id, status: 'completed' })
  const usage = { input_tokens: 5, output_tokens: 5, total_tokens: 10 }
  const runs = (parser: ResponsesStreamParser, output: object[]) => {
    const sent = parser.push(event('response.completed', { response: { id: 'r', output, usage } }))
    const found = sent.find(({ type }) => type === 'usage')
    return found?.type === 'usage' ? found.usage.toolCalls : undefined
  }

  it('are counted once, by their items', () => {
    const parser = started()
    const item = search('a')
    parser.push(event('response.output_item.done', { output_index: 0, item }))
    expect(runs(parser, [item])).toEqual({ web_search: 1 })
  })

  it('are counted by the whole answer where it lists more than came', () => {
    expect(runs(started(), [search('a'), search('b')])).toEqual({ web_search: 2 })
  })
})
