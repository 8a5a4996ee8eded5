// What Gemini refuses beside functions: JSON before Gemini 3 ("Function calling with a response mime type: 'application/json' is
// unsupported"), and its own search ("Tool use with function calling is unsupported", and from Gemini 3 on "Please enable
// tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling").
import { expect, it } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { codecs } from '../index.ts'

const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const response_format = { type: 'json_schema', json_schema: { name: 's', schema } }
const web_search_options = {}

function built(upstreamModel: string, more: JsonObject): [JsonObject, string[]] {
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'hi' },
  ]
  const request = codecs['openai-chat'].parseRequest({ model: 'm', messages, ...more }, {})
  const dropped: string[] = []
  const target = { upstreamModel, dropped, option: () => undefined as never }
  return [codecs.gemini.buildRequest(request, target), dropped]
}

it.each([{ tools }, { web_search_options }])('asks for JSON in words beside %j', (beside) => {
  const [body] = built('gemini-2.5-flash', { ...beside, response_format })
  expect(body).not.toHaveProperty('generationConfig')
  const said = JSON.stringify(body['systemInstruction'])
  expect(said).toContain('Be kind.')
  expect(said).toContain('JSON Schema')
  const [plain] = built('gemini-2.5-flash', { ...beside, response_format: { type: 'json_object' } })
  expect(plain).not.toHaveProperty('generationConfig')
  expect(JSON.stringify(plain['systemInstruction'])).toContain('one JSON object only')
})

it('has a field for JSON without tools, and from Gemini 3 on', () => {
  for (const [model, more] of [
    ['gemini-2.5-flash', {}],
    ['gemini-3-pro-preview', { tools }],
  ] as const) {
    const [body] = built(model, { ...more, response_format })
    expect(body).toMatchObject({ generationConfig: { responseMimeType: 'application/json' } })
    expect(body['systemInstruction']).toEqual({ parts: [{ text: 'Be kind.' }] })
  }
})

it.each(['gemini-2.5-flash', 'gemini-3-pro-preview'])('leaves out the search of %s', (model) => {
  const [body, dropped] = built(model, { tools, web_search_options })
  expect(JSON.stringify(body['tools'])).not.toContain('googleSearch')
  expect(dropped).toEqual(['web_search_options'])
  const [alone, none] = built(model, { web_search_options })
  expect(alone['tools']).toEqual([{ googleSearch: {} }])
  expect(none).toEqual([])
})

it('leaves out a search that a client of Responses declares beside functions', () => {
  const request = codecs['openai-responses'].parseRequest(
    {
      model: 'm',
      input: 'hi',
      tools: [{ type: 'function', name: 'look', parameters: {} }, { type: 'web_search' }],
    },
    {},
  )
  const dropped: string[] = []
  const target = { upstreamModel: 'gemini-2.5-flash', dropped, option: () => undefined as never }
  const body = codecs.gemini.buildRequest(request, target)
  expect(JSON.stringify(body['tools'])).not.toContain('googleSearch')
  expect(dropped).toEqual(['web_search_options'])
})
