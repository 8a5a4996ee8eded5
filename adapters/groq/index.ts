// Groq speaks the OpenAI dialect. Source: console.groq.com/docs, pages "OpenAI Compatibility" and "API Error Codes".
import { defineAdapter } from '#core'
import { compatibleEndpoint, openaiCompatible, openaiModelList } from '#adapter-kit'
import { withCharacters } from './speech.ts'
import { isReasoning, toGroq } from './to-groq.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'groq',
  channelTypes: { 1000: 'Groq' },
  baseUrl: 'https://api.groq.com/openai',
  models: [
    'openai/gpt-oss-120b',
    'openai/gpt-oss-20b',
    'openai/gpt-oss-safeguard-20b',
    'qwen/qwen3.8-27b',
    'whisper-large-v3',
    'whisper-large-v3-turbo',
    'canopylabs/orpheus-v1-english',
    'canopylabs/orpheus-arabic-saudi',
  ],
  prices,
  mark: 'groq',
  makes: ['compound-'],
  picker: { aliases: ['LPU', 'Whisper'] },
  summary: 'Open chat and speech models on the fast hardware of Groq.',
  operations: {
    ...openaiCompatible({
      operations: ['audio.transcriptions', 'audio.translations'],
      request: { chat: toGroq },
      capabilities: (model) => ({ reasoning: isReasoning(model) ? 'effort' : 'none' }),
    }),
    'audio.speech': {
      endpoint: (context) => compatibleEndpoint('audio.speech', context),
      binaryAnswer: withCharacters,
    },
  },
  // Capacity of the flex tier used up.
  classify: ({ status }) => (status === 498 ? 'throttled' : undefined),
  fetchModels: openaiModelList(),
})
