// What a provider's own tools did is told to the models of others as text.
import { describe, expect, it } from 'vitest'
import type { BuildTarget, ChatDialect } from '../contract/dialect.ts'
import type { JsonObject } from '../contract/json.ts'
import { codecs } from './index.ts'

const models: Record<ChatDialect, string> = {
  'openai-chat': 'gpt-4.1',
  'openai-responses': 'gpt-4.1',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
}

function converted(from: ChatDialect, to: ChatDialect, body: JsonObject): string {
  const request = codecs[from].parseRequest(body, { model: 'm' })
  const target: BuildTarget = {
    upstreamModel: models[to],
    dropped: [],
    option: () => undefined as never,
  }
  return JSON.stringify(codecs[to].buildRequest(request, target))
}

const question = { role: 'user', content: 'And?' }
const claude = (...blocks: JsonObject[]) => ({
  messages: [question, { role: 'assistant', content: blocks }, question],
})
const openai = (...items: JsonObject[]) => ({ input: [question, ...items, question] })
const gemini = (...parts: JsonObject[]) => ({
  contents: [
    { role: 'user', parts: [{ text: 'And?' }] },
    { role: 'model', parts },
    { role: 'user', parts: [{ text: 'And?' }] },
  ],
})
const use = (name: string, input: JsonObject) => ({ type: 'server_tool_use', id: 's', name, input })
const result = (type: string, content: unknown) => ({ type, tool_use_id: 's', content })
const page = {
  type: 'web_search_result',
  title: 'News',
  url: 'https://news.example/',
  encrypted_content: 'sealed',
}

const cases: [string, ChatDialect, JsonObject, string[]][] = [
  [
    'a program that calls tools',
    'openai-responses',
    openai(
      { type: 'program', id: 'p', call_id: 'c', code: 'rain()', fingerprint: 'f' },
      { type: 'program_output', id: 'o', call_id: 'c', result: 'wet', status: 'completed' },
    ),
    ['rain()', 'wet'],
  ],
  [
    'what Anthropic made of a long conversation',
    'anthropic-messages',
    claude({ type: 'compaction', content: 'They spoke of rain.', encrypted_content: 'sealed' }),
    ['They spoke of rain.'],
  ],
  [
    'a compaction that failed, and a change of models',
    'anthropic-messages',
    claude(
      { type: 'compaction', content: null },
      { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } },
      { type: 'text', text: 'Rain.' },
    ),
    ['Rain.'],
  ],
  ['a search', 'anthropic-messages', claude(use('web_search', { query: 'rain?' })), ['rain?']],
  [
    'what a search found',
    'anthropic-messages',
    claude(result('web_search_tool_result', [page])),
    ['News: https://news.example/'],
  ],
  [
    'a search that failed',
    'anthropic-messages',
    claude(result('web_search_tool_result', { error_code: 'max_uses_exceeded' })),
    ['error: max_uses_exceeded'],
  ],
  [
    'a page that was fetched',
    'anthropic-messages',
    claude(
      result('web_fetch_tool_result', {
        url: 'https://page.example/',
        content: { type: 'document', source: { type: 'text', data: 'the words' }, title: 'Page' },
      }),
    ),
    ['https://page.example/', 'the words'],
  ],
  [
    'code that ran',
    'anthropic-messages',
    claude(
      use('code_execution', { code: 'print(6*7)' }),
      result('code_execution_tool_result', { stdout: 'forty-two', stderr: 'odd' }),
      use('bash_code_execution', { command: 'ls -l' }),
    ),
    ['print(6*7)', 'forty-two', 'odd', 'ls -l'],
  ],
  [
    'a tool of an MCP server',
    'anthropic-messages',
    claude(
      { type: 'mcp_tool_use', id: 's', name: 'look', server_name: 'srv', input: { at: 'sky' } },
      { type: 'mcp_tool_result', tool_use_id: 's', content: [{ type: 'text', text: 'blue' }] },
    ),
    ['look', 'sky', 'blue'],
  ],
  [
    'a result of a kind that is new',
    'anthropic-messages',
    claude(result('time_travel_tool_result', { year: 1848, encrypted_way: 'sealed' })),
    ['time_travel', '1848'],
  ],
  [
    'a search',
    'openai-responses',
    openai({ type: 'web_search_call', id: 'w', action: { type: 'search', query: 'rain?' } }),
    ['rain?'],
  ],
  [
    'a search in files',
    'openai-responses',
    openai({
      type: 'file_search_call',
      queries: ['rent'],
      results: [{ filename: 'lease.pdf', text: 'the rent is due' }],
    }),
    ['rent', 'lease.pdf', 'the rent is due'],
  ],
  [
    'code that ran',
    'openai-responses',
    openai({
      type: 'code_interpreter_call',
      code: 'print(6*7)',
      outputs: [{ type: 'logs', logs: 'forty-two' }],
    }),
    ['print(6*7)', 'forty-two'],
  ],
  [
    'commands and patches',
    'openai-responses',
    openai(
      { type: 'shell_call', call_id: 'c', action: { commands: ['ls -l'] } },
      { type: 'shell_call_output', call_id: 'c', output: [{ stdout: 'two files' }] },
      { type: 'apply_patch_call', call_id: 'd', operation: { type: 'delete_file', path: 'a.ts' } },
      { type: 'apply_patch_call_output', call_id: 'd', output: 'it is gone' },
      { type: 'mcp_call', name: 'look', arguments: '{"at":"sky"}', output: 'blue' },
    ),
    ['ls -l', 'two files', 'a.ts', 'it is gone', 'look', 'blue'],
  ],
  [
    'a picture that was drawn',
    'openai-responses',
    openai({ type: 'image_generation_call', result: 'cGljdHVyZQ==', output_format: 'webp' }),
    ['image/webp', 'cGljdHVyZQ=='],
  ],
  [
    'code that ran',
    'gemini',
    gemini(
      { executableCode: { language: 'PYTHON', code: 'print(6*7)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'forty-two' } },
    ),
    ['print(6*7)', 'forty-two'],
  ],
  [
    'a tool that ran at Google',
    'gemini',
    gemini(
      { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['rain?'] }, id: 'x' } },
      { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', response: { found: 'umbrellas' } } },
    ),
    ['rain?', 'umbrellas'],
  ],
]

describe.each(cases)('%s, from %s', (_what, from, body, expected) => {
  it.each((Object.keys(codecs) as ChatDialect[]).filter((to) => to !== from))(
    'is told to %s',
    (to) => {
      const said = converted(from, to, body)
      for (const words of expected) expect(said).toContain(JSON.stringify(words).slice(1, -1))
      expect(said).not.toContain('sealed')
    },
  )
})

describe('a file in a container of Anthropic’s', () => {
  const upload = { type: 'container_upload', file_id: 'file_1' }
  const body = { messages: [{ role: 'user', content: [upload] }] }

  it('is refused elsewhere, for it cannot be read there', () => {
    expect(() => converted('anthropic-messages', 'openai-chat', body)).toThrow(/file id/)
  })
})

describe('a search among the declared tools', () => {
  const look = {
    name: 'look',
    input_schema: { type: 'object', properties: {} },
    defer_loading: true,
  }
  const body = {
    messages: [question],
    tools: [{ type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' }, look],
  }

  it.each(Object.keys(codecs) as ChatDialect[])('is needed by Claude alone, not by %s', (to) => {
    const request = codecs['anthropic-messages'].parseRequest(body, { model: 'm' })
    const dropped: string[] = []
    const target = { upstreamModel: models[to], dropped, option: () => undefined as never }
    const said = JSON.stringify(codecs[to].buildRequest(request, target))
    const isOwn = to === 'anthropic-messages'
    expect(said).toContain('"look"')
    expect(said.includes('tool_search')).toBe(isOwn)
    expect(dropped).toEqual(isOwn ? [] : ['tools.tool_search'])
  })
})

describe('a tool for pictures that an agent offers beside its own', () => {
  const draw = { type: 'image_generation', output_format: 'png' }
  const look = { type: 'function', name: 'look', parameters: { type: 'object' } }
  const offering = (more: JsonObject) =>
    codecs['openai-responses'].parseRequest({ model: 'm', input: 'Hi', ...more }, {})

  it.each(Object.keys(codecs) as ChatDialect[])('is left out and named by %s', (dialect) => {
    const dropped: string[] = []
    const target = { upstreamModel: models[dialect], dropped, option: () => undefined as never }
    const built = codecs[dialect].buildRequest(offering({ tools: [draw, look] }), target)
    const isOwn = dialect === 'openai-responses'
    expect(JSON.stringify(built).includes('image_generation')).toBe(isOwn)
    expect(dropped).toEqual(isOwn ? [] : ['tools.image_generation'])
  })

  it('is refused where nothing else is offered, or where it must be used', () => {
    const target = { upstreamModel: 'gpt-4.1', dropped: [], option: () => undefined as never }
    const must = { type: 'image_generation' }
    for (const more of [{ tools: [draw] }, { tools: [draw, look], tool_choice: must }])
      expect(() => codecs['openai-chat'].buildRequest(offering(more), target)).toThrow(
        'image_generation',
      )
  })
})
