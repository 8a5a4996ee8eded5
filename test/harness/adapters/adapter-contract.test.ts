// The contract suite itself, tried on an adapter of a few lines with the shared fixtures of its format.
import { defineAdapter } from '#core'
import { testAdapter } from './adapter-contract.ts'

const plain = defineAdapter({
  id: 'custom',
  summary: 'passes OpenAI chat through',
  channelTypes: { 8: 'Custom' },
  baseUrl: 'https://api.example.com',
  models: ['gpt-4o'],
  operations: {
    chat: {
      dialects: ['openai-chat'],
      endpoint: (_dialect, { channel, model }) => ({
        url: channel.baseUrl.replace('{model}', model),
        headers: { authorization: `Bearer ${channel.key}` },
      }),
    },
  },
})

testAdapter(plain, new URL('../../fixtures/upstream/custom/', import.meta.url))
