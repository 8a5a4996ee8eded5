import { describe, expect, it } from 'vitest'
import type { ChatDialect } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'
import { SseSplitter } from '../../wire/sse.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const responses = codecs['openai-responses']
const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' }
const custom = { type: 'custom', name: 'apply_patch', description: 'Edits files.', format }
const body = {
  model: 'm',
  input: [
    { role: 'user', content: 'x' },
    { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin' },
    { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done' },
  ],
  tools: [custom],
}
const request = responses.parseRequest(body, {})
const meta = answerMeta({ request })

function build(dialect: ChatDialect, model: string): JsonObject {
  return codecs[dialect].buildRequest(request, {
    upstreamModel: model,
    dropped: [],
    option: () => undefined as never,
  })
}

const events: ChatEvent[] = [
  { type: 'start' },
  { type: 'tool_start', index: 0, id: 'c2', name: 'apply_patch' },
  { type: 'tool_args', index: 0, delta: '{"input":"*** ' },
  { type: 'tool_args', index: 0, delta: 'End"}' },
  { type: 'tool_end', index: 0 },
  { type: 'finish', reason: 'tool_calls' },
]

describe('a custom tool of a Responses client', () => {
  it('is a function of one text to the others, its grammar in the description', () => {
    expect(build('anthropic-messages', 'claude-opus-4-5')).toMatchObject({
      tools: [
        {
          name: 'apply_patch',
          description: 'Edits files.\nThe input follows this grammar:\nstart: "a"',
          input_schema: { required: ['input'] },
        },
      ],
    })
    const messages = build('openai-chat', 'deepseek-chat').messages as JsonObject[]
    expect(messages[1]?.tool_calls).toEqual([
      {
        id: 'c1',
        type: 'function',
        function: { name: 'apply_patch', arguments: '{"input":"*** Begin"}' },
      },
    ])
    expect(messages[2]).toEqual({ role: 'tool', tool_call_id: 'c1', content: 'Done' })
  })

  it('goes to an upstream of the same dialect as it came', () => {
    const built = build('openai-responses', 'gpt-5')
    expect(built.tools).toEqual([custom])
    expect((built.input as JsonObject[]).slice(1)).toEqual(body.input.slice(1))
  })

  it('is called back as a custom tool, whole and streamed', () => {
    const item = { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: '*** End' }
    const answer = responses.writeAnswer(events, meta)
    expect(answer.output).toEqual([expect.objectContaining(item)])
    const writer = responses.streamWriter(meta)
    const wire = events.map((event) => writer.write(event)).join('') + writer.end()
    const written = new SseSplitter()
      .push(Buffer.from(wire))
      .map((event) => JSON.parse(event.data) as JsonObject)
    expect(written.map((event) => event.type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.custom_tool_call_input.delta',
      'response.custom_tool_call_input.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(written.at(-1)).toMatchObject({ response: { output: [item] } })
  })

  it('is read from an upstream of that dialect', () => {
    const answer = responses.writeAnswer(events, meta)
    expect(responses.parseAnswer(answer)).toContainEqual({
      type: 'tool_args',
      index: 0,
      delta: '{"input":"*** End"}',
    })
  })
})
