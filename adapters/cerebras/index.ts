// Cerebras speaks the OpenAI dialect. Source: inference-docs.cerebras.ai, page "OpenAI Compatibility".
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList, renamed, withoutDeveloperRole } from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'cerebras',
  channelTypes: { 1009: 'Cerebras' },
  baseUrl: 'https://api.cerebras.ai',
  // Names as of the provider's catalogue (unconfirmed).
  models: ['gpt-oss-120b', 'llama-3.3-70b', 'llama3.1-8b', 'qwen-3-32b', 'zai-glm-4.6'],
  mark: 'cerebras',
  makes: ['cerebras'],
  picker: { aliases: ['Wafer'] },
  summary: 'Open chat models on the fast hardware of Cerebras.',
  prices,
  operations: openaiCompatible({
    operations: ['completions'],
    // The older name of the limit is unknown there.
    request: {
      chat: (body) => withoutDeveloperRole(renamed(body, 'max_tokens', 'max_completion_tokens')),
    },
  }),
  fetchModels: openaiModelList(),
})
