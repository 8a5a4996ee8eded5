import { expect, it } from 'vitest'
import { fromGeminiSchema } from './json-schema-gemini.ts'

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
