import { expect, it } from 'vitest'
import { codecs } from '../index.ts'

const asked = {
  model: 'm',
  max_tokens: 100,
  tools: [{ type: 'web_search_20250305', name: 'web_search' }],
  messages: [{ role: 'user', content: 'News?' }],
}
const request = codecs['anthropic-messages'].parseRequest(asked, {})

it.each([
  ['gpt-4.1', undefined, false],
  ['gpt-4o-search-preview', undefined, true],
  ['gpt-5-search-api', undefined, true],
  ['mistral-large', undefined, false],
  ['sonar', true, true],
  ['ernie-search', false, false],
])('asks %s, whose upstream says %s, to search the web: %s', (upstreamModel, says, isAsked) => {
  const dropped: string[] = []
  const body = codecs['openai-chat'].buildRequest(request, {
    upstreamModel,
    dropped,
    option: () => undefined as never,
    ...(says === undefined ? {} : { capabilities: { webSearch: says } }),
  })
  expect('web_search_options' in body).toBe(isAsked)
  expect(dropped.includes('web_search_options')).toBe(!isAsked)
})
