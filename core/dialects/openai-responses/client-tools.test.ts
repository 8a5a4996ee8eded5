// The shell and the patches of OpenAI's Agents, at models that do not know them.
import { describe, expect, it } from 'vitest'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const responses = codecs['openai-responses']
const question = { role: 'user', content: 'Mend it' }
const skills = [{ name: 'deploy', description: 'Puts it online.', path: '/skills/deploy' }]
const shell = { type: 'shell', environment: { type: 'local', skills } }
const patch = { type: 'apply_patch' }

const read = (body: JsonObject) =>
  responses.parseRequest({ model: 'm', tools: [shell, patch], input: [question], ...body }, {})

const target = () => ({
  upstreamModel: 'claude-sonnet-4-5',
  dropped: [],
  option: () => undefined as never,
})

const claude = (body: JsonObject) =>
  codecs['anthropic-messages'].buildRequest(read(body), target()) as {
    tools: JsonObject[]
    tool_choice?: JsonObject
    messages: { role: string; content: JsonObject[] }[]
  }

function callOf(name: string, text: string): ChatEvent[] {
  return [
    { type: 'tool_start', index: 0, id: 'call_1', name },
    { type: 'tool_args', index: 0, delta: text.slice(0, 7) },
    { type: 'tool_args', index: 0, delta: text.slice(7) },
    { type: 'tool_end', index: 0 },
    { type: 'finish', reason: 'tool_calls' },
  ]
}

const meta = answerMeta({ request: read({}) })

function streamed(events: readonly ChatEvent[]): JsonObject[] {
  const writer = responses.streamWriter(meta)
  const text = events.map((event) => writer.write(event)).join('') + writer.end()
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as JsonObject)
}

describe('tools of OpenAI’s that the client runs', () => {
  it('are functions to others, with the skills that the shell has', () => {
    const [first, second] = claude({}).tools
    expect(first).toMatchObject({
      name: 'shell',
      description: expect.stringContaining('- deploy (/skills/deploy): Puts it online.'),
      input_schema: { required: ['commands'] },
    })
    expect(second).toMatchObject({
      name: 'apply_patch',
      input_schema: { required: ['type', 'path'] },
    })
  })

  it('are chosen by their types', () => {
    expect(claude({ tool_choice: patch }).tool_choice).toMatchObject({
      type: 'tool',
      name: 'apply_patch',
    })
    const allowed = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'shell' }] }
    expect(read({ tool_choice: allowed }).toolChoice).toMatchObject({ names: ['shell'] })
  })

  it.each([
    {
      name: 'shell',
      text: '{"commands":["ls","pwd"],"timeout_ms":5000}',
      item: {
        type: 'shell_call',
        call_id: 'call_1',
        status: 'completed',
        action: { commands: ['ls', 'pwd'], timeout_ms: 5000, max_output_length: null },
        environment: { type: 'local' },
      },
    },
    {
      name: 'apply_patch',
      text: '{"type":"create_file","path":"a.ts","diff":"+one"}',
      item: {
        type: 'apply_patch_call',
        call_id: 'call_1',
        status: 'completed',
        operation: { type: 'create_file', path: 'a.ts', diff: '+one' },
      },
    },
    {
      name: 'apply_patch',
      text: '{"type":"delete_file","path":"a.ts","diff":""}',
      item: { operation: { type: 'delete_file', path: 'a.ts' } },
    },
    {
      name: 'shell',
      text: '{"commands":"ls","timeout_ms":-1',
      item: { action: { commands: [], timeout_ms: null, max_output_length: null } },
    },
    { name: 'shell', text: '{"commands":"ls -l"}', item: { action: { commands: ['ls -l'] } } },
  ])('are called by items of their own, whole and streamed: $name $text', (call) => {
    const events = callOf(call.name, call.text)
    expect(responses.writeAnswer(events, meta)['output']).toMatchObject([call.item])
    const sent = streamed(events)
    const ended = sent.filter(({ type }) => type === 'response.output_item.done')
    expect(ended).toMatchObject([{ item: call.item }])
    expect(sent.at(-1)).toMatchObject({ response: { output: [call.item] } })
  })

  it('are told what came of a call', () => {
    const { messages } = claude({
      input: [
        question,
        { type: 'shell_call', call_id: 'c1', action: { commands: ['ls'], timeout_ms: null } },
        {
          type: 'shell_call_output',
          call_id: 'c1',
          output: [
            { stdout: 'a.ts\n', stderr: 'no b.ts', outcome: { type: 'exit', exit_code: 2 } },
            { stdout: '', stderr: '', outcome: { type: 'timeout' } },
          ],
        },
        { type: 'apply_patch_call', call_id: 'c2', operation: { type: 'update_file', path: 'a' } },
        { type: 'apply_patch_call_output', call_id: 'c2', status: 'failed', output: 'no a' },
      ],
    })
    expect(messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool_use', name: 'shell' }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            content: 'a.ts\nstderr: no b.ts\nexit code: 2\n\nIt took too long and was stopped.',
          },
        ],
      },
      { content: [{ type: 'tool_use', name: 'apply_patch', input: { path: 'a' } }] },
      {
        content: [
          { type: 'tool_result', is_error: true, content: 'The patch was not applied.\nno a' },
        ],
      },
    ])
  })

  it('go back to OpenAI as they were declared and chosen', () => {
    const body = responses.buildRequest(read({ tool_choice: patch }), {
      ...target(),
      upstreamModel: 'gpt-5.5',
    })
    expect(body).toMatchObject({ tools: [shell, patch], tool_choice: patch })
  })

  it('are not those of containers, which OpenAI runs', () => {
    const inContainer = { type: 'shell', environment: { type: 'container_auto' } }
    expect(() => claude({ tools: [inContainer] })).toThrow(/"shell"/)
    const input = [
      question,
      {
        type: 'shell_call',
        call_id: 'c',
        action: { commands: ['ls'] },
        environment: { type: 'container_reference', container_id: 'cntr_1' },
      },
    ]
    const output = [{ stdout: 'a.ts', stderr: '', outcome: { type: 'exit', exit_code: 0 } }]
    input.push({ type: 'shell_call_output', call_id: 'c', output } as never)
    const { messages } = claude({ input })
    expect(JSON.stringify(messages)).not.toMatch(/tool_use|tool_result/)
    expect(JSON.stringify(messages.at(-1))).toContain('a.ts')
  })

  it('are declared once, however often they are added', () => {
    const added = { type: 'additional_tools', role: 'developer', tools: [{ type: 'shell' }, patch] }
    const { tools } = claude({ input: [question, added] })
    expect(tools.map(({ name }) => name)).toEqual(['shell', 'apply_patch'])
  })

  it('stand beside functions of the same names', () => {
    const own = { type: 'function', name: 'shell', parameters: { type: 'object', properties: {} } }
    const input = [
      question,
      { type: 'function_call', call_id: 'c1', name: 'shell', arguments: '{}' },
      { type: 'shell_call', call_id: 'c2', action: { commands: ['ls'] } },
      { type: 'function_call_output', call_id: 'c1', output: '' },
      { type: 'shell_call_output', call_id: 'c2', output: [] },
    ]
    const body = { tools: [shell, own], input, tool_choice: { type: 'shell' } }
    const { tools, messages, tool_choice: choice } = claude(body)
    expect(tools.map(({ name }) => name)).toEqual(['shell_2', 'shell'])
    expect(messages[1]?.content).toMatchObject([{ name: 'shell' }, { name: 'shell_2' }])
    expect(choice).toMatchObject({ name: 'shell_2' })
    const answer = (name: string) =>
      responses.writeAnswer(callOf(name, '{"commands":["ls"]}'), { ...meta, request: read(body) })
    expect(answer('shell')).toMatchObject({
      output: [{ type: 'function_call', name: 'shell' }],
      tools: [shell, { name: 'shell' }],
      tool_choice: { type: 'shell' },
    })
    expect(answer('shell_2')).toMatchObject({ output: [{ type: 'shell_call' }] })
  })

  it('are no part of a namespace', () => {
    const group = { type: 'namespace', name: 'n', description: '', tools: [patch] }
    expect(() => read({ tools: [group] })).toThrow(/apply_patch/)
  })
})
