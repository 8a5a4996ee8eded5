// Groq speaks the OpenAI dialect. Source: console.groq.com/docs, pages "OpenAI Compatibility" and "API Error Codes".
import { defineAdapter, type AttemptContext, type Body } from '#core'
import { openaiCompatible, openaiModelList, without, withoutDeveloperRole } from '#adapter-kit'
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
    request: { chat: withoutRefused },
    capabilities: (model) => ({ reasoning: model.includes('gpt-oss') ? 'effort' : 'none' }),
  }),
  // Capacity of the flex tier used up.
  classify: ({ status }) => (status === 498 ? 'throttled' : undefined),
  fetchModels: openaiModelList(),
})

const REFUSED = ['logprobs', 'top_logprobs', 'logit_bias', 'n'] as const

function withoutRefused(body: Body, { drop }: AttemptContext): Body {
  for (const field of REFUSED) if (body[field] !== undefined) drop(field)
  return withoutDeveloperRole(without(body, ...REFUSED))
}
