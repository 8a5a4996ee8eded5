// Schemas whose root is no object, on their way to upstreams that take none, and their answers on the way back.
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/harness/clock.ts'
import type { AnswerHints, BuildTarget, ChatDialect } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'
import { undoHints, withHints } from './answer-hints.ts'
import { answerMeta } from '../../../test/harness/answer-meta.ts'

const models = {
  'openai-chat': 'gpt-4.1',
  'openai-responses': 'gpt-4.1',
  'anthropic-messages': 'claude-sonnet-4-5',
} as const
type Strict = keyof typeof models
const strict = Object.keys(models) as Strict[]

function build(
  to: ChatDialect,
  from: ChatDialect,
  body: JsonObject,
  model?: string,
): { built: JsonObject; hints: AnswerHints } {
  const hints: AnswerHints = {}
  const target: BuildTarget = {
    upstreamModel: model ?? (to === 'gemini' ? 'gemini-2.5-flash' : models[to]),
    dropped: [],
    option: () => undefined as never,
    hints,
  }
  const request = codecs[from].parseRequest(body, { model: 'm' })
  return { built: codecs[to].buildRequest(request, target), hints }
}

function asked(generationConfig: JsonObject): JsonObject {
  return { contents: [{ parts: [{ text: 'Which?' }] }], generationConfig }
}

/** Wherever the dialect has it. */
function schemaIn(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if ((key === 'schema' || key === 'input_schema') && isObject(inner)) return inner
    const found = Array.isArray(inner) ? inner.map(schemaIn).find(Boolean) : schemaIn(inner)
    if (found !== undefined) return found
  }
  return undefined
}

const list = { type: 'ARRAY', items: { type: 'STRING' } }
const listConfig = { responseMimeType: 'application/json', responseSchema: list }
const parts = ['{"va', 'lue" :[', '"a}"', ',"b"', ']', ' }', '\n']

function eventsOf(texts: readonly string[]): ChatEvent[] {
  return [
    { type: 'start' },
    ...texts.map((delta): ChatEvent => ({ type: 'text', delta })),
    { type: 'finish', reason: 'stop' },
  ]
}

function textOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.delta : '')).join('')
}

describe('a list as the root of a structured answer', () => {
  it.each(strict)('is asked of %s as the property of an object', (to) => {
    const { built, hints } = build(to, 'gemini', asked(listConfig))
    expect(schemaIn(built)).toMatchObject({
      type: 'object',
      properties: { value: { type: 'array', items: { type: 'string' } } },
      required: ['value'],
      additionalProperties: false,
    })
    expect(hints.wrapped).toEqual({ isPlain: false })
  })

  it('is asked so of a Claude that is given a tool for it', () => {
    const { built, hints } = build(
      'anthropic-messages',
      'gemini',
      asked(listConfig),
      'claude-3-5-haiku-latest',
    )
    expect(schemaIn(built)).toMatchObject({ properties: { value: { type: 'array' } } })
    expect(hints.jsonTool).toBeDefined()
    const events: ChatEvent[] = [
      { type: 'tool_start', index: 0, id: 't', name: hints.jsonTool ?? '' },
      ...parts.map((delta): ChatEvent => ({ type: 'tool_args', index: 0, delta })),
      { type: 'tool_end', index: 0 },
      { type: 'finish', reason: 'tool_calls' },
    ]
    expect(textOf(undoHints(hints)(events))).toBe('["a}","b"]')
  })

  it('stays one for Gemini', () => {
    const { built, hints } = build('gemini', 'openai-chat', {
      messages: [{ role: 'user', content: 'Which?' }],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'x', schema: { type: 'array', items: { type: 'string' } } },
      },
    })
    expect(built['generationConfig']).toMatchObject({ responseSchema: { type: 'array' } })
    expect(hints.wrapped).toBeUndefined()
  })

  it.each([
    ['in pieces', parts, '["a}","b"]'],
    ['in one piece', [parts.join('')], '["a}","b"]'],
    ['of objects', ['{"value":[{"a":{}}', '}]}'], '[{"a":{}}}]'],
    ['cut off', ['{"value":["a","b'], '["a","b'],
    ['that the upstream did not wrap', ['["a"', ']'], '["a"]'],
    ['after blanks', ['\n ', '\n', ...parts], '["a}","b"]'],
    ['that is a long text', ['x'.repeat(80), '}'], `${'x'.repeat(80)}}`],
  ])('comes back bare: %s', (_how, texts, bare) => {
    const hints = { wrapped: { isPlain: false } }
    expect(textOf(undoHints(hints)(eventsOf(texts)))).toBe(bare)
    const pending = [eventsOf(texts).slice(0, -1), [{ type: 'finish', reason: 'stop' } as const]]
    const parser = withHints(
      { push: () => pending.shift() ?? [], end: () => [], isComplete: true },
      hints,
    )
    const event = { event: undefined, data: '{}', raw: '' }
    expect(textOf([...parser.push(event), ...parser.push(event), ...parser.end()])).toBe(bare)
  })
})

describe('a model that writes blanks without end', () => {
  it('costs no more than another answer of that length', () => {
    const blanks = Array.from({ length: 8_000 }, () => ' \n  \t   '.repeat(4))
    const undo = undoHints({ wrapped: { isPlain: false } })
    const spentMs = processorTime()
    expect(textOf(undo(eventsOf([...blanks, ...parts])))).toBe('["a}","b"]')
    expect(spentMs()).toBeLessThan(1_000)
  })
})

describe('one word of several', () => {
  const config = {
    responseMimeType: 'text/x.enum',
    responseSchema: { type: 'STRING', enum: ['Comedy', 'Drama'] },
  }

  it('comes back as that word', () => {
    const { hints } = build('openai-chat', 'gemini', asked(config))
    expect(hints.wrapped).toEqual({ isPlain: true })
    const events = undoHints(hints)(eventsOf(['{"value":', '"Com', 'edy"}']))
    expect(textOf(events)).toBe('Comedy')
    const meta = answerMeta({ includeUsage: false })
    expect(codecs.gemini.writeAnswer(events, meta)).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'Comedy' }] } }],
    })
  })
})

describe('references of a schema', () => {
  const tree = {
    type: 'array',
    items: { anyOf: [{ $ref: '#/$defs/leaf' }, { $ref: '#' }, { $ref: '#/items' }] },
    $defs: { leaf: { type: 'string' }, all: { $ref: '#' } },
  }

  it('find what they point at when its root has moved', () => {
    const { built } = build('openai-chat', 'gemini', asked({ responseJsonSchema: tree }))
    const moved = '#/properties/value'
    expect(schemaIn(built)).toMatchObject({
      properties: {
        value: {
          items: { anyOf: [{ $ref: '#/$defs/leaf' }, { $ref: moved }, { $ref: `${moved}/items` }] },
        },
      },
      $defs: { leaf: { type: 'string' }, all: { $ref: moved } },
    })
    expect(JSON.stringify(schemaIn(built)).match(/\$defs/g)).toHaveLength(2)
  })

  it('that are all there is at the root are followed', () => {
    const $defs = { it: { type: 'object', properties: { a: { type: 'string' } } } }
    const schema = { $ref: '#/$defs/it', $defs }
    const { built, hints } = build('openai-chat', 'gemini', asked({ responseJsonSchema: schema }))
    expect(schemaIn(built)).toMatchObject({ type: 'object', properties: { a: {} } })
    expect(hints.wrapped).toBeUndefined()
  })
})

describe('the arguments of a tool', () => {
  const ask = (to: Strict, parameters: JsonObject) => {
    const { built } = build(to, 'gemini', {
      contents: [{ parts: [{ text: 'Do.' }] }],
      tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: parameters }] }],
    })
    const [tool] = built['tools'] as JsonObject[]
    const inner = isObject(tool?.['function']) ? tool['function'] : tool
    return inner?.['input_schema'] ?? inner?.['parameters']
  }
  const text = { type: 'string' }
  const one = { type: 'object', properties: { a: text, b: text }, required: ['a', 'b'] }
  const other = { type: 'object', properties: { a: text, c: text }, required: ['a', 'c'] }

  it.each(strict)('are one object to %s, whatever their root says', (to) => {
    expect(ask(to, { properties: { a: text } })).toEqual({
      type: 'object',
      properties: { a: text },
    })
    expect(ask(to, { anyOf: [one, other] })).toEqual({
      type: 'object',
      properties: { a: text, b: text, c: text },
      required: ['a'],
    })
    expect(ask(to, { allOf: [one, { $ref: '#/$defs/o' }], $defs: { o: other } })).toMatchObject({
      type: 'object',
      properties: { a: text, b: text, c: text },
      required: ['a', 'b', 'c'],
    })
  })

  it.each(strict)('that are no object are refused by name before %s is asked', (to) => {
    expect(() => ask(to, { type: 'array', items: text })).toThrow(/tools\.f: .*must be an object/)
  })
})

describe('JSON without a schema', () => {
  const config = asked({ responseMimeType: 'application/json' })

  it.each(['openai-chat', 'openai-responses'] as const)(
    'is said in words to %s, which refuses a conversation without the word',
    (to) => {
      expect(JSON.stringify(build(to, 'gemini', config).built)).toContain('one JSON object only')
      const said = { ...config, contents: [{ parts: [{ text: 'As json.' }] }] }
      expect(JSON.stringify(build(to, 'gemini', said).built)).not.toContain('object only')
    },
  )
})
