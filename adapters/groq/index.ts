// Groq speaks the OpenAI dialect. Source: console.groq.com/docs, pages "OpenAI Compatibility" and "API Error Codes".
import { defineAdapter } from '#core'
import { openaiCompatible, openaiModelList } from '#adapter-kit'
import { isReasoning, toGroq } from './to-groq.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'groq',
  channelTypes: { 1000: 'Groq' },
  baseUrl: 'https://api.groq.com/openai',
  models: [
    'llama-3.3-70b-versatile',
    'llama-3.1-8b-instant',
    'openai/gpt-oss-120b',
    'openai/gpt-oss-20b',
    'qwen/qwen3-32b',
    'moonshotai/kimi-k2-instruct-0905',
    'whisper-large-v3',
  ],
  prices,
  mark: 'groq',
  makes: ['compound-'],
  picker: { aliases: ['LPU', 'Whisper'] },
  summary: 'Open chat and speech models on the fast hardware of Groq.',
  operations: openaiCompatible({
    operations: ['audio.speech', 'audio.transcriptions', 'audio.translations'],
    request: { chat: toGroq },
    capabilities: (model) => ({ reasoning: isReasoning(model) ? 'effort' : 'none' }),
  }),
  // Capacity of the flex tier used up.
  classify: ({ status }) => (status === 498 ? 'throttled' : undefined),
  fetchModels: openaiModelList(),
})
