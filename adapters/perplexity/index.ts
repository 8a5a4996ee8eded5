// Perplexity's Agent API, which is OpenAI's Responses API with strict fields. The chat completions of Sonar were served until 27 September 2026.
// Source: docs.perplexity.ai, "Agent API" with its pages "OpenAI compatibility" and "Migrate from Sonar"; perplexityai/api-platform-developers, skill
// migrate-sonar-to-agent-api; the SDK perplexityai 0.46.1.
import { defineAdapter, type DialectChat } from '#core'
import { openaiCompatible } from '#adapter-kit'
import { eventFromAgent, fromAgent } from './from-agent.ts'
import { isSonar } from './sonar-names.ts'
import { toAgent } from './to-agent.ts'
import prices from './prices.json' with { type: 'json' }

const operations = openaiCompatible({
  operations: ['embeddings'],
  request: { responses: toAgent },
  answer: { responses: fromAgent },
  responses: () => 'only',
  capabilities: (model) => ({
    reasoning: isSonar(model) && model !== 'sonar-deep-research' ? 'none' : 'effort',
    sampling: true,
    webSearch: true,
  }),
})

export default defineAdapter({
  id: 'perplexity',
  channelTypes: { 27: 'Perplexity' },
  baseUrl: 'https://api.perplexity.ai',
  models: ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research', 'pplx-embed-v1-4b'],
  prices,
  mark: 'perplexity',
  makes: ['sonar', 'pplx', 'r1-1776'],
  picker: { aliases: ['Sonar', 'search', '搜索'] },
  summary: 'Sonar models of Perplexity, which search the web for their answers.',
  operations: {
    ...operations,
    chat: { ...(operations.chat as DialectChat), streamData: eventFromAgent },
  },
})
