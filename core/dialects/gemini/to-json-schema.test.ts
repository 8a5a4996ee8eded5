import { expect, it } from 'vitest'
import { fromGeminiSchema } from './to-json-schema.ts'

it('writes the counts that Google has in text as numbers', () => {
  const schema = {
    type: 'OBJECT',
    minProperties: '1',
    properties: {
      minLength: { type: 'STRING', minLength: '2', maxLength: '9', nullable: true },
      list: { type: 'ARRAY', minItems: 1, maxItems: '5', items: { type: 'STRING' } },
    },
  }
  expect(fromGeminiSchema(schema)).toEqual({
    type: 'object',
    minProperties: 1,
    properties: {
      minLength: { type: ['string', 'null'], minLength: 2, maxLength: 9 },
      list: { type: 'array', minItems: 1, maxItems: 5, items: { type: 'string' } },
    },
  })
})

it('leaves what is no count to whoever judges the schema', () => {
  expect(fromGeminiSchema({ maxItems: 'many', minItems: '-1' })).toEqual({
    maxItems: 'many',
    minItems: '-1',
  })
})

// google-genai for Python writes them so, from a model of Pydantic as from `types.Schema`.
it('reads keywords in snake case, and leaves names of properties alone', () => {
  const schema = {
    type: 'OBJECT',
    properties: {
      any_of: { any_of: [{ type: 'INTEGER' }, { type: 'STRING', max_length: '4' }] },
      list: { type: 'ARRAY', min_items: 1, max_items: 3, items: { type: 'STRING' } },
    },
    min_properties: 1,
    property_ordering: ['any_of', 'list'],
    additional_properties: false,
  }
  expect(fromGeminiSchema(schema)).toEqual({
    type: 'object',
    properties: {
      any_of: { anyOf: [{ type: 'integer' }, { type: 'string', maxLength: 4 }] },
      list: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string' } },
    },
    minProperties: 1,
    additionalProperties: false,
  })
})

it('lets null through beside alternatives and listed values', () => {
  const alternatives = [{ type: 'INTEGER' }, { type: 'STRING' }]
  expect(fromGeminiSchema({ anyOf: alternatives, nullable: true })).toEqual({
    anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }],
  })
  expect(fromGeminiSchema({ type: 'STRING', enum: ['p', 'q'], nullable: true })).toEqual({
    type: ['string', 'null'],
    enum: ['p', 'q', null],
  })
  const isNullAlready = { type: 'STRING', enum: ['p', null], nullable: true }
  expect(fromGeminiSchema(isNullAlready)).toMatchObject({ enum: ['p', null] })
})
