// The form in which newer clients of Google ask for JSON (google-genai 3.6, `GenerationConfig.response_format`).
import { expect, it } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'

const read = (generationConfig: JsonObject) =>
  codecs.gemini.parseRequest(
    { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], generationConfig },
    { model: 'm' },
  ).responseFormat

const schema = { type: 'object', properties: { a: { type: 'string' } } }

it.each<[string, JsonObject]>([
  [
    'a list',
    { responseFormat: [{ image: {} }, { text: { mimeType: 'application/json', schema } }] },
  ],
  ['one kind', { response_format: { text: { mime_type: 'application/json', schema } } }],
])('is read from %s', (_form, config) => {
  expect(read(config)).toEqual({ type: 'schema', schema })
})

it('may ask for JSON without a schema, or for anything', () => {
  expect(read({ responseFormat: [{ text: { mimeType: 'application/json' } }] })).toEqual({
    type: 'json',
  })
  expect(read({ responseFormat: [{ text: { mimeType: 'text/plain' } }] })).toBeUndefined()
})
