// Whoever narrows a web search to some sites has it narrowed at the other provider, or can see that it was not.
import { describe, expect, it } from 'vitest'
import type { ChatDialect } from '../contract/dialect.ts'
import type { JsonObject } from '../contract/json.ts'
import { codecs } from './index.ts'

const messages = [{ role: 'user', content: 'Hi' }]
const ofClaude = (domains: JsonObject): JsonObject => ({
  model: 'm',
  max_tokens: 9,
  messages,
  tools: [{ type: 'web_search_20250305', name: 'web_search', ...domains }],
})
const ofResponses = { model: 'm', input: 'Hi' }

function sent(from: ChatDialect, body: JsonObject, to: ChatDialect, upstreamModel: string) {
  const dropped: string[] = []
  const request = codecs[from].parseRequest(body, {})
  const target = { upstreamModel, dropped, option: () => undefined as never }
  return { body: codecs[to].buildRequest(request, target), dropped }
}

describe('the sites of a web search', () => {
  const allowed_domains = ['a.example']
  const blocked_domains = ['b.example']

  it('go from Anthropic to Responses', () => {
    const { body } = sent(
      'anthropic-messages',
      ofClaude({ allowed_domains }),
      'openai-responses',
      'gpt-5',
    )
    expect(body['tools']).toMatchObject([{ type: 'web_search', filters: { allowed_domains } }])
  })

  it('go from Responses to Anthropic', () => {
    const tools = [{ type: 'web_search', filters: { allowed_domains } }]
    const body = { ...ofResponses, tools }
    const { body: built } = sent('openai-responses', body, 'anthropic-messages', 'claude-opus-4-5')
    expect(built['tools']).toMatchObject([{ name: 'web_search', allowed_domains }])
  })

  it.each([
    ['openai-chat', 'gpt-4o-search-preview', { allowed_domains }, 'allowed_domains'],
    ['gemini', 'gemini-2.5-flash', { allowed_domains }, 'allowed_domains'],
    ['openai-chat', 'gpt-4o-search-preview', { blocked_domains }, 'blocked_domains'],
    ['gemini', 'gemini-2.5-flash', { blocked_domains }, 'blocked_domains'],
    ['openai-responses', 'gpt-5', { blocked_domains }, 'blocked_domains'],
  ] as const)('are told as dropped by %s %s: %j', (dialect, model, domains, field) => {
    expect(sent('anthropic-messages', ofClaude(domains), dialect, model).dropped).toContain(field)
  })
})

describe('what Gemini’s search cannot be told', () => {
  const place = { type: 'approximate', approximate: { country: 'DE' } }

  it.each<[ChatDialect, JsonObject, string[]]>([
    [
      'openai-chat',
      {
        model: 'm',
        messages,
        web_search_options: { search_context_size: 'high', user_location: place },
      },
      ['search_context_size', 'user_location'],
    ],
    ['openai-chat', { model: 'm', messages, web_search_options: {} }, []],
    [
      'anthropic-messages',
      ofClaude({ max_uses: 2, user_location: { type: 'approximate', country: 'DE' } }),
      ['max_uses', 'user_location'],
    ],
  ])('is told as dropped for %s', (dialect, body, fields) => {
    expect(sent(dialect, body, 'gemini', 'gemini-2.5-flash').dropped).toEqual(fields)
  })
})
