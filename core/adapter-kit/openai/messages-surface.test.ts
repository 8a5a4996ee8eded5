import { describe, expect, it } from 'vitest'
import type { AttemptContext, ChannelView, DialectChat } from '../../contract/adapter.ts'
import { openaiCompatible } from './compatible.ts'

const messages = {
  origins: ['https://api.example.com', 'https://api.example.cn'],
  path: '/api/anthropic',
  serves: (model: string) => model.startsWith('new-'),
}
const chat = openaiCompatible({
  messages,
  responses: (model) => model.endsWith('-5'),
  request: { chat: () => ({ isChat: true }) },
  answer: { chat: () => ({ isChat: true }) },
}).chat as DialectChat

function dialectsAt(baseUrl: string, setting: object = {}, model = 'new-4'): readonly string[] {
  const { dialects } = chat
  if (typeof dialects !== 'function') return dialects
  return dialects(model, { baseUrl, setting } as ChannelView)
}

async function endpointAt(baseUrl: string, headers: Record<string, string> = {}) {
  const context = {
    model: 'new-4',
    channel: { key: 'sk', baseUrl, setting: {} },
    clientDialect: 'anthropic-messages',
    clientHeaders: headers,
    options: { get: () => ({}) },
  } as unknown as AttemptContext
  return await chat.endpoint('anthropic-messages', context)
}

describe('a provider’s own /v1/messages', () => {
  it.each([
    { at: 'https://api.example.com', setting: {}, spoken: true },
    { at: 'https://api.example.cn/v1', setting: {}, spoken: true },
    { at: 'https://api.example.com', setting: { messages: false }, spoken: false },
    { at: 'https://api.example.community', setting: {}, spoken: false },
    { at: 'https://mirror.example.org', setting: {}, spoken: false },
    { at: 'https://mirror.example.org', setting: { messages: true }, spoken: true },
  ])('at $at with $setting is spoken: $spoken', ({ at, setting, spoken }) => {
    const all = spoken ? ['openai-chat', 'anthropic-messages'] : ['openai-chat']
    expect(dialectsAt(at, setting)).toEqual(all)
  })

  it('leaves models that it does not serve to conversion, and stands behind the provider’s other dialects', () => {
    expect(dialectsAt('https://api.example.com', {}, 'old-4')).toEqual(['openai-chat'])
    expect(dialectsAt('https://api.example.com', {}, 'new-5')).toEqual([
      'openai-chat',
      'openai-responses',
      'anthropic-messages',
    ])
  })

  it.each([
    ['https://api.example.com', 'https://api.example.com/api/anthropic/v1/messages'],
    ['https://api.example.com/api/paas/v4', 'https://api.example.com/api/anthropic/v1/messages'],
    ['https://mirror.example.org/x/v1', 'https://mirror.example.org/x/api/anthropic/v1/messages'],
    [
      'https://mirror.example.org/api/anthropic',
      'https://mirror.example.org/api/anthropic/v1/messages',
    ],
  ])('of %s is %s', async (baseUrl, url) => {
    expect((await endpointAt(baseUrl)).url).toBe(url)
  })

  it('gets the key as the provider’s other paths do, and the client’s headers of the dialect', async () => {
    const { headers } = await endpointAt('https://api.example.com', { 'anthropic-beta': 'b-1' })
    expect(headers).toEqual({
      authorization: 'Bearer sk',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'b-1',
    })
  })

  it('is spared the line by which Claude Code makes itself known to Anthropic', async () => {
    const line = 'x-anthropic-billing-header: cch=36ee5;'
    const rest = { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }
    const sent = (system: unknown) =>
      chat.body?.({ model: 'new-4', system }, 'anthropic-messages', {} as AttemptContext)
    expect(await sent([{ type: 'text', text: line }, rest])).toEqual({
      model: 'new-4',
      system: [rest],
    })
    expect(await sent(`${line}\nBe brief.`)).toEqual({ model: 'new-4', system: 'Be brief.' })
    expect(await sent(line)).toEqual({ model: 'new-4' })
    for (const system of [[rest], [null, 7, { type: 'text', text: 5 }], 7, null])
      expect(await sent(system)).toEqual({ model: 'new-4', system })
  })

  it('is spared the edits that are for chat', async () => {
    const body = { model: 'new-4' }
    const context = {} as AttemptContext
    expect(await chat.body?.(body, 'anthropic-messages', context)).toBe(body)
    expect(chat.answer?.(body, 'anthropic-messages', context)).toBe(body)
  })
})
