// Cerebras speaks the OpenAI dialect. Source: inference-docs.cerebras.ai, page "OpenAI Compatibility".
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList } from '#adapter-kit'
import { toCerebras } from './to-cerebras.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'cerebras',
  channelTypes: { 1009: 'Cerebras' },
  baseUrl: 'https://api.cerebras.ai',
  // Names as of the provider's catalogue (unconfirmed).
  models: ['gpt-oss-120b', 'qwen-3.8-27b', 'gemma-4-31b'],
  mark: 'cerebras',
  makes: ['cerebras'],
  picker: { aliases: ['Wafer'] },
  summary: 'Open chat models on the fast hardware of Cerebras.',
  prices,
  operations: openaiCompatible({ operations: ['completions'], request: { chat: toCerebras } }),
  fetchModels: openaiModelList(),
})
