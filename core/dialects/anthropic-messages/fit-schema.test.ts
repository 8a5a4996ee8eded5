import { describe, expect, it } from 'vitest'
import type { ChatRequest, ToolDeclaration } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { buildRequest } from './build-request.ts'
import { fitSchema } from './fit-schema.ts'

const person = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
})
const closed = (properties: JsonObject): JsonObject =>
  person(properties, { additionalProperties: false })

describe('a JSON schema for Claude', () => {
  it('tells limits of numbers, texts and lists in descriptions', () => {
    const age = { type: 'integer', minimum: 0, maximum: 130, description: 'In years' }
    const code = { type: 'string', minLength: 2, pattern: '^[A-Z]+$' }
    const tags = { type: 'array', items: code, minItems: 1, maxItems: 5 }
    expect(fitSchema(person({ age, tags }))).toEqual(
      closed({
        age: { type: 'integer', description: 'In years (minimum: 0, maximum: 130)' },
        tags: {
          type: 'array',
          items: { type: 'string', description: '(minLength: 2, pattern: "^[A-Z]+$")' },
          minItems: 1,
          description: '(maxItems: 5)',
        },
      }),
    )
  })

  it('keeps the formats that are known and tells others', () => {
    const text = (format: string) => ({ type: 'string', format })
    expect(fitSchema(person({ at: text('date-time'), place: text('geo') }))).toEqual(
      closed({
        at: text('date-time'),
        place: { type: 'string', description: '(format: "geo")' },
      }),
    )
  })

  it('keeps properties that are called as keywords are', () => {
    const schema = closed({ minimum: { type: 'number' }, $ref: { type: 'string' } })
    expect(fitSchema(schema)).toEqual(schema)
  })

  it('has anyOf for oneOf, and a plain reference for one with a description', () => {
    const $defs = { pet: person({ kind: { const: 'cat' } }) }
    const reference = { $ref: '#/$defs/pet' }
    const properties = {
      first: { allOf: [reference], description: 'The oldest' },
      other: { oneOf: [reference, { type: 'null' }] },
    }
    expect(fitSchema(person(properties, { $defs }))).toEqual({
      ...closed({ first: reference, other: { anyOf: [reference, { type: 'null' }] } }),
      $defs: { pet: closed({ kind: { const: 'cat' } }) },
    })
  })

  it.each([
    ['within itself', { $defs: { n: person({ n: { $ref: '#/$defs/n' } }) }, $ref: '#/$defs/n' }],
    ['that is its own root', person({ child: { $ref: '#' } })],
    ['of another document', person({ child: { $ref: 'https://example.com/child.json' } })],
    ['with keys of any name', person({ ages: { type: 'object', additionalProperties: {} } })],
    ['with any keys', person({ any: { type: 'object', additionalProperties: true } })],
    ['of a tuple', person({ pair: { type: 'array', items: [{ type: 'string' }] } })],
  ])('cannot be expressed for a schema %s', (_, schema: JsonObject) => {
    expect(fitSchema(schema)).toBeUndefined()
    const { system, output_config } = built({ responseFormat: { type: 'schema', schema } })
    expect(output_config).toBeUndefined()
    expect(JSON.stringify(system)).toContain('It must match this JSON Schema')
  })
})

describe('a strict tool for Claude', () => {
  const tool = (parameters: JsonObject): ToolDeclaration => ({
    name: 'save',
    parameters,
    strict: true,
  })

  it('stays strict where its schema can be held', () => {
    const parameters = closed({ age: { type: 'integer' } })
    expect(built({ tools: [tool(parameters)] }).tools).toMatchObject([{ strict: true }])
  })

  it('keeps the limits of its schema instead of the strictness that refuses them', () => {
    const parameters = closed({ age: { type: 'integer', minimum: 0 } })
    const [made] = built({ tools: [tool(parameters)] }).tools as JsonObject[]
    expect(made).toEqual({ name: 'save', input_schema: parameters })
  })
})

function built(fields: Partial<ChatRequest>): JsonObject {
  const request = {
    model: 'm',
    system: [],
    turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
    tools: [],
    hostedTools: [],
    stream: false,
    ...fields,
  } as unknown as ChatRequest
  return buildRequest(request, {
    upstreamModel: 'claude-sonnet-4-5',
    dropped: [],
    option: () => undefined,
  } as never)
}
