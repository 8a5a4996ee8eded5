// The search of Codex for tools of MCP servers, at models that have none of their own.
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const responses = codecs['openai-responses']
const search = {
  type: 'tool_search',
  execution: 'client',
  description: 'Finds tools.',
  parameters: { type: 'object', properties: { query: { type: 'string' } } },
}
const find = (name: string) => ({
  type: 'namespace',
  name: 'mcp__wiki__',
  description: 'A wiki.',
  tools: [{ type: 'function', name, parameters: { type: 'object' } }],
})
const call = (id: string) => ({
  type: 'tool_search_call',
  call_id: id,
  execution: 'client',
  status: 'completed',
  arguments: { query: 'wiki' },
})
const found = (id: string, ...tools: JsonObject[]) => ({
  type: 'tool_search_output',
  call_id: id,
  execution: 'client',
  status: 'completed',
  tools,
})
const question = { role: 'user', content: 'Look it up' }

const read = (...input: JsonObject[]) =>
  responses.parseRequest({ model: 'm', input, tools: [search] }, {})

const chat = (...input: JsonObject[]) =>
  codecs['openai-chat'].buildRequest(read(...input), {
    upstreamModel: 'deepseek-chat',
    dropped: [],
    option: () => undefined as never,
  })

const meta = answerMeta({ request: read(question) })
const item = {
  type: 'tool_search_call',
  call_id: 'call_1',
  execution: 'client',
  arguments: { query: 'wiki' },
}
const events = [
  { type: 'tool_start', index: 0, id: 'call_1', name: 'tool_search' },
  { type: 'tool_args', index: 0, delta: '{"query":' },
  { type: 'tool_args', index: 0, delta: '"wiki"}' },
  { type: 'tool_end', index: 0 },
  { type: 'finish', reason: 'tool_calls' },
] as const

describe('a search for tools that the client runs', () => {
  it('is a function to others', () => {
    expect(chat(question)['tools']).toMatchObject([
      {
        type: 'function',
        function: {
          name: 'tool_search',
          description: 'Finds tools.',
          parameters: search.parameters,
        },
      },
    ])
  })

  it('declares what it found, in several searches of one namespace too, and tells the names', () => {
    const { tools, messages } = chat(
      question,
      call('call_1'),
      found('call_1', find('read_page')),
      call('call_2'),
      found('call_2', find('list_pages')),
    )
    expect(tools).toMatchObject([
      { function: { name: 'tool_search' } },
      { function: { name: 'read_page' } },
      { function: { name: 'list_pages' } },
    ])
    expect(messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'tool_search' } }] },
      { role: 'tool', tool_call_id: 'call_1', content: expect.stringContaining('read_page') },
      { role: 'assistant', tool_calls: [{ id: 'call_2' }] },
      { role: 'tool', tool_call_id: 'call_2', content: expect.stringContaining('list_pages') },
    ])
  })

  it('that found nothing says so', () => {
    const { messages } = chat(question, call('call_1'), found('call_1'))
    expect(messages).toMatchObject([{}, {}, { role: 'tool', content: 'No tool was found.' }])
  })

  it('is called by its own item, whole and streamed', () => {
    expect(responses.writeAnswer(events, meta)['output']).toMatchObject([item])
    const writer = responses.streamWriter(meta)
    const text = events.map((event) => writer.write(event)).join('') + writer.end()
    const sent = text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)) as JsonObject)
    const done = sent.filter(({ type }) => type === 'response.output_item.done')
    expect(done).toMatchObject([{ item }])
    expect(sent.at(-1)).toMatchObject({ response: { output: [item] } })
  })

  it('goes back to OpenAI as it was declared', () => {
    const body = responses.buildRequest(read(question), {
      upstreamModel: 'gpt-5.5',
      dropped: [],
      option: () => undefined as never,
    })
    expect(body['tools']).toEqual([search])
  })

  it('of OpenAI itself is no function', () => {
    const hosted = responses.parseRequest(
      { model: 'm', input: 'x', tools: [{ type: 'tool_search' }] },
      {},
    )
    expect(hosted.tools).toEqual([])
    expect(hosted.hostedTools).toMatchObject([{ kind: 'tool_search' }])
  })
})
