import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { mapPromptTexts, promptTexts } from './prompt-texts.ts'

const said = (item: object): JsonObject => ({ messages: [item] })
const bodyOf = (item: object): JsonObject => ({ input: [item] })
const schema = {
  type: 'object',
  description: 'text',
  properties: {
    title: { type: 'string', description: 'text', enum: ['text', 'text'] },
    other: { type: 'array', items: { const: 'text', pattern: 'no', $ref: '#/no' } },
  },
  required: ['no'],
}

/** In all of them what a model reads is `text`, and nothing else is. */
const bodies: [string, JsonObject][] = [
  ['a part', said({ role: 'user', content: [{ type: 'no', text: 'text' }] })],
  ['a person', said({ role: 'user', name: 'text', content: 'text' })],
  ['a tool in a message', said({ role: 'tool', name: 'no', tool_call_id: 'no', content: 'text' })],
  ['reasoning', said({ role: 'assistant', reasoning: 'text', content: 'text' })],
  [
    'details of reasoning',
    said({ role: 'assistant', reasoning_details: [{ type: 'no', text: 'text', data: 'no' }] }),
  ],
  [
    'arguments',
    said({ tool_calls: [{ id: 'no', function: { name: 'no', arguments: '{"a":"text"}' } }] }),
  ],
  ['arguments behind blanks', bodyOf({ type: 'no', arguments: ' \n{"a":"text"}' })],
  ['a list of arguments', bodyOf({ type: 'no', arguments: '["text"]' })],
  ['another letter case', said({ Role: 'no', Content: [{ Type: 'no', TEXT: 'text' }] })],
  [
    'a citation',
    said({
      content: [
        {
          type: 'no',
          text: 'text',
          citations: [{ type: 'no', cited_text: 'text', document_title: 'text', url: 'no' }],
        },
      ],
    }),
  ],
  [
    'what a provider ran',
    said({
      content: [
        { type: 'no', tool_use_id: 'no', content: { type: 'no', stdout: 'text', stderr: 'text' } },
      ],
    }),
  ],
  [
    'a shell call',
    bodyOf({ type: 'no', action: { type: 'no', command: ['text'], env: { A: 'text' } } }),
  ],
  ['shell output', bodyOf({ type: 'no', output: [{ stdout: 'text', outcome: { type: 'no' } }] })],
  ['a patch', bodyOf({ type: 'no', operation: { type: 'no', path: 'text', diff: 'text' } })],
  ['run code', bodyOf({ type: 'no', code: 'text', outputs: [{ type: 'no', logs: 'text' }] })],
  [
    'a file search',
    bodyOf({ type: 'no', queries: ['text'], results: [{ text: 'text', file_id: 'no' }] }),
  ],
  ['a web search', bodyOf({ type: 'no', action: { type: 'no', query: 'text' } })],
  ['listed tools', bodyOf({ type: 'no', tools: [{ name: 'no', description: 'text' }] })],
  [
    'code of Gemini',
    { contents: [{ parts: [{ executableCode: { language: 'no', code: 'text' } }] }] },
  ],
  [
    'output of Gemini',
    { contents: [{ parts: [{ code_execution_result: { outcome: 'no', output: 'text' } }] }] },
  ],
  [
    'a tool',
    { tools: [{ type: 'no', function: { name: 'no', description: 'text', parameters: schema } }] },
  ],
  [
    'a tool of Anthropic',
    {
      tools: [
        { name: 'no', description: 'text', input_schema: schema, input_examples: [{ a: 'text' }] },
      ],
    },
  ],
  [
    'a tool that a message adds',
    said({
      role: 'system',
      content: [
        {
          type: 'no',
          tool: {
            type: 'no',
            definition: { name: 'no', description: 'text', input_schema: schema },
          },
        },
      ],
    }),
  ],
  [
    'a tool of Gemini',
    {
      tools: [{ functionDeclarations: [{ name: 'no', description: 'text', parameters: schema }] }],
    },
  ],
  ['a form of answers', { response_format: { type: 'no', json_schema: { name: 'no', schema } } }],
  [
    'a form of Responses',
    { text: { format: { type: 'no', name: 'no', description: 'text', schema } } },
  ],
  ['a form of Gemini', { generationConfig: { responseMimeType: 'no', responseSchema: schema } }],
  ['a form that is a word', { response_format: 'no', prompt: 'text', negative_prompt: 'text' }],
  [
    'JSON to decide about',
    bodyOf({ role: 'no', content: [{ type: 'input_json', data: { name: 'text', a: ['text'] } }] }),
  ],
  [
    'questions',
    {
      questions: [
        { type: 'no', name: 'text', instructions: 'text' },
        { type: 'no', choices: [{ value: 'text', description: 'text' }, { value: true }] },
        { type: 'no', levels: [{ label: 'text', description: 'text' }] },
        {
          type: 'no',
          instructions: [
            { type: 'no', text: 'text' },
            { type: 'no', image_url: 'no', detail: 'no' },
            { type: 'input_json', data: [{ type: 'text' }] },
          ],
        },
      ],
    },
  ],
  ['a song', { gpt_description_prompt: 'text', tags: 'text', title: 'text', mv: 'no' }],
]

describe('the texts of a prompt', () => {
  it.each(bodies)('are found in %s', (_name, body) => {
    const texts = [...promptTexts(body)]
    expect(texts.length).toBeGreaterThan(0)
    expect(texts.filter((text) => text !== 'text')).toEqual([])
    const changed = mapPromptTexts(body, (text) => text.toUpperCase())
    expect(JSON.stringify(changed)).not.toMatch(/text\\?"(?!\s*:)/)
    expect(JSON.stringify(changed).match(/TEXT\\?"(?!\s*:)/g)).toHaveLength(texts.length)
    expect(mapPromptTexts(body, (text) => text)).toBe(body)
  })

  it('come in the order in which they are read, declarations last', () => {
    const body = {
      tools: [{ name: 'f', description: 'three' }],
      messages: [{ role: 'user', content: 'two' }],
      system: 'one',
    }
    expect([...promptTexts(body)]).toEqual(['one', 'two', 'three'])
  })
})
