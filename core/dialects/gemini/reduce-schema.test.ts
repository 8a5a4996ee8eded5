// Schemas in the shapes that MCP servers publish them, judged by the rules by which Gemini refuses a declaration.
import { describe, expect, it } from 'vitest'
import { processorTime } from '../../../test/harness/clock.ts'
import type { ChatRequest, ToolChoice } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'
import { wholeSchema } from './build-tools.ts'
import { toGeminiSchema } from './reduce-schema.ts'

const TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'array', 'object'])
const FIELDS = new Set(
  'type format description nullable enum items properties required minItems maxItems minimum maximum propertyOrdering anyOf'.split(
    ' ',
  ),
)
const FORMATS = new Set<unknown>(['enum', 'date-time', 'float', 'double', 'int32', 'int64'])

/** What the API would say against a schema. */
function refusals(schema: unknown, path: string): string[] {
  if (!isObject(schema)) return [`${path}: is no message`]
  const found = Object.keys(schema)
    .filter((key) => !FIELDS.has(key))
    .map((key) => `${path}.${key}: unknown name`)
  if (schema.anyOf !== undefined) {
    if (Object.keys(schema).length > 1) found.push(`${path}: fields alongside any_of`)
    const options = schema.anyOf as unknown[]
    return [...found, ...options.flatMap((one, at) => refusals(one, `${path}.any_of[${at}]`))]
  }
  if (!TYPES.has(schema.type)) found.push(`${path}.type: must be specified`)
  if (schema.format !== undefined && !FORMATS.has(schema.format))
    found.push(`${path}.format: only enum and date-time`)
  found.push(...enumRefusals(schema, path), ...objectRefusals(schema, path))
  if (schema.type === 'array') found.push(...refusals(schema.items, `${path}.items`))
  else if (schema.items !== undefined) found.push(`${path}.items: only for arrays`)
  return found
}

function enumRefusals({ type, enum: values }: JsonObject, path: string): string[] {
  if (values === undefined) return []
  if (type !== 'string') return [`${path}.enum: only allowed for STRING type`]
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  const isRight = Array.isArray(values) && values.length > 0 && values.every(isText)
  return isRight ? [] : [`${path}.enum: cannot be empty`]
}

function objectRefusals({ type, properties, required }: JsonObject, path: string): string[] {
  const found: string[] = []
  if (properties !== undefined) {
    if (type !== 'object') found.push(`${path}.properties: only allowed for OBJECT type`)
    const entries = Object.entries(properties as JsonObject)
    if (entries.length === 0) found.push(`${path}.properties: should be non-empty`)
    for (const [name, inner] of entries)
      found.push(...refusals(inner, `${path}.properties[${name}]`))
  }
  for (const name of (required as string[] | undefined) ?? []) {
    const isKnown = isObject(properties) && Object.hasOwn(properties, name)
    if (!isKnown) found.push(`${path}.required: ${name} is not defined`)
  }
  return found
}

const object = (properties: JsonObject, more: JsonObject = {}) => ({
  type: 'object',
  properties,
  ...more,
})
const text = { type: 'string' }

function built(parameters: JsonObject, toolChoice?: ToolChoice): JsonObject {
  const request: ChatRequest = {
    model: 'g',
    system: [],
    turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
    tools: [{ name: 'f', parameters }, { name: 'other' }],
    hostedTools: [],
    stream: false,
    includeUsage: false,
    ...(toolChoice === undefined ? {} : { toolChoice }),
  }
  return codecs.gemini.buildRequest(request, {
    upstreamModel: 'gemini-2.0-flash',
    dropped: [],
    option: () => undefined as never,
  })
}

function declarationsOf(body: JsonObject): JsonObject[] {
  return (body.tools as { functionDeclarations: JsonObject[] }[])[0]?.functionDeclarations ?? []
}

const servers: Readonly<Record<string, JsonObject>> = {
  'filesystem: edits with defaults and an exclusive bound': object(
    {
      path: text,
      edits: {
        type: 'array',
        items: object({ oldText: text, newText: text }, { required: ['oldText', 'newText'] }),
      },
      dryRun: { type: 'boolean', default: false },
      head: { type: 'number', exclusiveMinimum: 0 },
    },
    { required: ['path', 'edits'], additionalProperties: false, $schema: 'x' },
  ),
  'GitHub: an array without items, required of an absent name': object(
    { labels: { type: 'array' }, perPage: { type: 'number', minimum: 1, maximum: 100 } },
    { required: ['owner', 'perPage'] },
  ),
  'Playwright: nested enumerations and boolean schemas': object({
    modifiers: { type: 'array', items: { type: 'string', enum: ['Alt', 'Shift', ''] } },
    anything: true,
    nothing: false,
    empty: {},
  }),
  'Notion: one of several objects, named by constants': object({
    parent: {
      description: 'Where.',
      oneOf: [
        object({ type: { const: 'page_id' }, page_id: { type: 'string', format: 'uuid' } }),
        object({ type: { const: 'database_id' }, database_id: text }),
      ],
    },
    properties: object({}, { additionalProperties: true }),
  }),
  'Postgres: parameters of any type, in a tuple': object({
    sql: text,
    params: { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] } },
    limits: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'integer' }] },
  }),
  'Slack: a list in items': object({
    range: { type: 'array', items: [{ type: 'string', format: 'date' }, text], minItems: 2 },
  }),
  'Stripe: maps and pattern properties': object({
    metadata: { type: 'object', additionalProperties: text },
    extra: { type: 'object', patternProperties: { '^x-': text } },
    amount: { type: 'integer', format: 'uint64' },
  }),
  'Linear: enumerations of numbers, with null': object({
    priority: { enum: [0, 1, 2, 3, 4, null], description: 'How soon.' },
    estimate: { type: 'integer', enum: [1, 2, 3] },
    mixed: { enum: ['a', 1] },
  }),
  'Sentry: optional parameters as pydantic writes them': object({
    query: { anyOf: [text, { type: 'null' }], default: null, title: 'Query' },
    tags: { anyOf: [{ type: 'array', items: text }, text, { type: 'null' }], description: 'T' },
  }),
  'Figma: allOf with references': object(
    { node: { allOf: [{ $ref: '#/$defs/base' }, { properties: { name: text } }] } },
    { $defs: { base: object({ id: text }, { required: ['id'] }) } },
  ),
  'fetch: bounds and formats of an address': object(
    {
      url: { type: 'string', format: 'uri', minLength: 1 },
      max_length: { type: 'integer', exclusiveMaximum: 1_000_000, format: 'int64' },
    },
    { required: ['url'] },
  ),
  'Home Assistant: alternatives that only demand': object(
    { name: text, area: text },
    { anyOf: [{ required: ['name'] }, { required: ['area'] }] },
  ),
  'Grafana: alternatives at the root': {
    anyOf: [
      object({ uid: text, from: text }, { required: ['uid', 'from'] }),
      object({ uid: text, name: text }, { required: ['uid', 'name'] }),
    ],
  },
}

describe('the schema of a tool', () => {
  it.each(Object.entries(servers))('%s is one that Gemini takes', (_name, parameters) => {
    const [declared] = declarationsOf(built(parameters))
    expect(declared).toHaveProperty('parameters.type', 'object')
    expect(refusals(declared?.parameters, 'parameters')).toEqual([])
  })

  it('keeps its meaning', () => {
    const of = (name: string) =>
      declarationsOf(built(servers[name] ?? {}))[0]?.parameters as JsonObject
    expect(of('GitHub: an array without items, required of an absent name')).toMatchObject({
      properties: { labels: { type: 'array', items: text } },
      required: ['perPage'],
    })
    expect(of('Linear: enumerations of numbers, with null').properties).toEqual({
      priority: {
        type: 'integer',
        nullable: true,
        description: 'How soon. One of: 0, 1, 2, 3, 4.',
      },
      estimate: { type: 'integer', description: 'One of: 1, 2, 3.' },
      mixed: { type: 'string', enum: ['a', '1'] },
    })
    expect(of('Postgres: parameters of any type, in a tuple').properties).toMatchObject({
      limits: { type: 'array', items: { type: 'integer' } },
    })
    expect(of('Figma: allOf with references').properties).toEqual({
      node: object({ id: text, name: text }, { required: ['id'] }),
    })
    expect(of('Grafana: alternatives at the root')).toEqual(
      object({ uid: text, from: text, name: text }, { required: ['uid'] }),
    )
    const { properties } = of('Sentry: optional parameters as pydantic writes them')
    expect(properties).toMatchObject({ query: { type: 'string', nullable: true } })
  })

  it('is left out where the tool takes nothing, and unfolds no further than a bound', () => {
    expect(declarationsOf(built(object({})))[0]).toEqual({ name: 'f' })
    const $defs: JsonObject = { d0: text }
    for (let depth = 1; depth < 40; depth += 1) {
      const inner = { $ref: `#/$defs/d${depth - 1}` }
      $defs[`d${depth}`] = object({ a: inner, b: inner })
    }
    const immense = { $ref: '#/$defs/d39', $defs }
    expect(toGeminiSchema(immense)).toBeUndefined()
    expect(() => wholeSchema(immense, 'gemini-2.0-flash', 'response_format')).toThrow(
      /no schema that unfolds to so many parts/,
    )
  })
})

describe('a schema that was made to be slow', () => {
  const many = <T>(make: (index: number) => T) => Array.from({ length: 20_000 }, (_, i) => make(i))
  const properties = Object.fromEntries(many((index) => [`p${index}`, true]))

  it.each<[string, JsonObject]>([
    ['many parts', { allOf: many((index) => ({ properties: { [`p${index}`]: {} } })) }],
    ['many alternatives of a large one', { properties, anyOf: many(() => ({ type: 'object' })) }],
    ['many types of a large one', { properties, type: many(() => 'object') }],
    [
      'a long chain of references',
      {
        $ref: '#/$defs/0',
        $defs: Object.fromEntries(many((index) => [index, { $ref: `#/$defs/${index + 1}` }])),
      },
    ],
    [
      'a long reference that is followed often',
      {
        allOf: many(() => ({ $ref: '#/$defs/a' })),
        $defs: { a: { $ref: `#${'/x'.repeat(500_000)}` } },
      },
    ],
  ])('is given up in good time: %s', (_what, schema) => {
    const spentMs = processorTime()
    expect(toGeminiSchema(schema)).toBeUndefined()
    expect(spentMs()).toBeLessThan(2_000)
  })
})

describe('a choice among some tools', () => {
  const parameters = object({ x: text })

  it('with the mode auto declares these only, because AUTO takes no names', () => {
    const body = built(parameters, { mode: 'some', names: ['f'], required: false })
    expect(declarationsOf(body).map(({ name }) => name)).toEqual(['f'])
    expect(body.toolConfig).toEqual({ functionCallingConfig: { mode: 'AUTO' } })
  })

  it('that must call one names them', () => {
    const body = built(parameters, { mode: 'some', names: ['f'], required: true })
    expect(declarationsOf(body)).toHaveLength(2)
    expect(body.toolConfig).toEqual({
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] },
    })
  })
})
