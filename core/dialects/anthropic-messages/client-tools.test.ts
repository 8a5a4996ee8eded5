// Tools that Anthropic's SDKs run themselves (`bash_…`, `text_editor_…`, `memory_…`), at models of other providers.
import { expect, it } from 'vitest'
import type { BuildTarget, ChatDialect } from '../../contract/dialect.ts'
import { codecs } from '../index.ts'

const target = (upstreamModel: string): BuildTarget => ({
  upstreamModel,
  dropped: [],
  option: () => undefined as never,
})

const body = (...tools: { type: string; name: string }[]) => ({
  model: 'm',
  max_tokens: 100,
  tools,
  tool_choice: { type: 'tool', name: tools[0]?.name },
  messages: [{ role: 'user', content: 'Hi' }],
})

const bash = { type: 'bash_20250124', name: 'bash' }
const editor = { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' }
const memory = { type: 'memory_20250818', name: 'memory' }

it.each([
  ['openai-chat', 'gpt-4.1'],
  ['openai-responses', 'gpt-4.1'],
  ['gemini', 'gemini-2.5-flash'],
] satisfies [ChatDialect, string][])('become functions at %s', (dialect, model) => {
  const request = codecs['anthropic-messages'].parseRequest(body(bash, editor, memory), {})
  const built = JSON.stringify(codecs[dialect].buildRequest(request, target(model)))
  for (const { name, type } of [bash, editor, memory]) {
    expect(built).toContain(`"name":"${name}"`)
    expect(built).not.toContain(type)
  }
  for (const name of ['restart', 'view_range', 'insert_text', 'old_path'])
    expect(built).toContain(`"${name}":{`)
})

it('take the arguments of their version', () => {
  const parametersOf = (type: string) =>
    JSON.stringify(
      codecs['anthropic-messages'].parseRequest(body({ type, name: 'edit' }), {}).tools[0]
        ?.parameters,
    )
  expect(parametersOf('text_editor_20250124')).toContain('undo_edit')
  expect(parametersOf('text_editor_20250124')).not.toContain('insert_text')
  expect(parametersOf('text_editor_20250728')).not.toContain('undo_edit')
})

it('are refused where they need sight of a screen', () => {
  const computer = { type: 'computer_20250124', name: 'computer' }
  const request = codecs['anthropic-messages'].parseRequest(body(computer), {})
  expect(() => codecs['openai-chat'].buildRequest(request, target('gpt-4.1'))).toThrow('computer')
})
