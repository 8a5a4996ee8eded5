// OpenAI tells in `tool_usage` how many searches it bills; the items of the answer do not say which of them are discounted.
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'

const { parseAnswer, streamParser } = codecs['openai-responses']

const search = { type: 'web_search_call', status: 'completed', action: { type: 'search' } }
const files = { type: 'file_search_call', status: 'completed' }
const usage = { input_tokens: 9, output_tokens: 4 }

function response(output: JsonObject[], toolUsage?: JsonObject): JsonObject {
  return {
    id: 'resp_1',
    status: 'completed',
    model: 'm',
    output,
    usage,
    ...(toolUsage === undefined ? {} : { tool_usage: toolUsage }),
  }
}

function ofAnswer(body: JsonObject): unknown {
  const found = parseAnswer(body).find(({ type }) => type === 'usage')
  return found?.type === 'usage' ? found.usage.toolCalls : undefined
}

function ofStream(body: JsonObject): unknown {
  const parser = streamParser()
  const output = body['output'] as JsonObject[]
  const items = output.map((item, index) => ({
    type: 'response.output_item.done',
    output_index: index,
    item,
  }))
  const events = [...items, { type: 'response.completed', response: body }].flatMap((data) =>
    parser.push({ event: data.type, data: JSON.stringify(data), raw: '' }),
  )
  const found = events.find(({ type }) => type === 'usage')
  return found?.type === 'usage' ? found.usage.toolCalls : undefined
}

describe.each([
  ['a whole answer', ofAnswer],
  ['a stream', ofStream],
])('the searches of %s', (_what, callsOf) => {
  it('are as many as are billed, however many items there are', () => {
    const told = { image_gen: { total_tokens: 0 }, web_search: { num_requests: 3 } }
    expect(callsOf(response([search, files], told))).toEqual({ web_search: 3, file_search: 1 })
  })

  it('stand beside the pages that are billed as fetched', () => {
    const told = { web_search: { num_requests: 2 }, web_fetch: { num_requests: 1 } }
    expect(callsOf(response([], told))).toEqual({ web_search: 2, web_fetch: 1 })
    expect(callsOf(response([search], { web_fetch: { num_requests: 0 } }))).toEqual({
      web_search: 1,
      web_fetch: 0,
    })
  })

  it('are free where none is billed', () => {
    const told = { web_search: { num_requests: 0 } }
    expect(callsOf(response([search, search, files], told))).toEqual({
      web_search: 0,
      file_search: 1,
    })
    expect(callsOf(response([search], told))).toEqual({ web_search: 0 })
  })

  it.each([undefined, {}, { web_search: {} }, { web_search: { num_requests: -1 } }])(
    'are the items where %j tells nothing',
    (told) => {
      expect(callsOf(response([search, search], told))).toEqual({ web_search: 2 })
    },
  )
})
