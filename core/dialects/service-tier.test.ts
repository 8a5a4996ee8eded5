// Each provider has words of its own for what costs what is usual.
import { expect, it } from 'vitest'
import type { ChatRequest } from '../contract/neutral.ts'
import { codecs } from './index.ts'

const request: ChatRequest = {
  model: 'm',
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
  tools: [],
  hostedTools: [],
  stream: false,
  includeUsage: false,
}

it.each([
  ['openai-chat', 'standard_only', 'default'],
  ['openai-responses', 'standard_only', 'default'],
  ['openai-chat', 'auto', 'auto'],
  ['openai-responses', 'default', 'default'],
  ['anthropic-messages', 'standard_only', 'standard_only'],
  ['anthropic-messages', 'default', undefined],
  ['gemini', 'standard_only', undefined],
] as const)('%s says for %s: %s', (dialect, serviceTier, word) => {
  const dropped: string[] = []
  const target = { upstreamModel: 'm', dropped, option: () => undefined as never }
  const body = codecs[dialect].buildRequest({ ...request, serviceTier }, target)
  expect(body['service_tier']).toBe(word)
  expect(dropped).toEqual([])
})

it.each([
  ['standard', 'default'],
  ['SERVICE_TIER_PRIORITY', 'priority'],
  ['flex', 'flex'],
  ['unspecified', undefined],
])('Google’s %s is read as %s', (serviceTier, word) => {
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
  const read = codecs.gemini.parseRequest({ contents, serviceTier }, { model: 'm' })
  expect(read.serviceTier).toBe(word)
})
