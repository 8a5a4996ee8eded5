// Mistral AI speaks the OpenAI dialect with a strict list of fields. Source: docs.mistral.ai, API reference.
import { defineAdapter, isObject } from '#core'
import { classTable, compatibleEndpoint, openaiCompatible, openaiModelList } from '#adapter-kit'
import { fromFim, isFimModel, toFim } from './fim.ts'
import { fromMistral } from './from-mistral.ts'
import { mistralModels, takesEffort } from './models.ts'
import { toMistral, toMistralEmbeddings } from './to-mistral.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'mistral',
  channelTypes: { 42: 'Mistral AI' },
  baseUrl: 'https://api.mistral.ai',
  models: mistralModels,
  prices,
  mark: 'mistral',
  makes: [
    'mistral',
    'mixtral',
    'open-mistral',
    'open-mixtral',
    'codestral',
    'pixtral',
    'ministral',
    'magistral',
    'devstral',
    'voxtral',
  ],
  picker: { aliases: ['Mixtral', 'Codestral', 'Le Chat', 'Pixtral'] },
  summary: 'Mistral chat, reasoning, vision, code completion, embedding and moderation models.',
  ownedBy: 'mistralai',
  operations: {
    ...openaiCompatible({
      operations: ['embeddings', 'moderations', 'audio.transcriptions'],
      request: { chat: toMistral, embeddings: toMistralEmbeddings },
      answer: { chat: fromMistral },
      chunk: fromMistral,
      streamUsage: 'never',
      capabilities: (model) => ({ reasoning: takesEffort(model) ? 'effort' : 'none' }),
    }),
    // For all other models, the prompt becomes a chat message.
    completions: {
      isServed: ({ model }) => isFimModel(model),
      endpoint: (context) =>
        compatibleEndpoint('completions', context, {
          paths: { completions: '/v1/fim/completions' },
        }),
      body: toFim,
      answer: (body) => fromFim(isObject(body) ? body : {}),
      streamData: fromFim,
    },
  },
  form: {
    baseUrl: {
      help: {
        en: 'For a Codestral key: https://codestral.mistral.ai.',
        zh: '使用 Codestral 密钥时请填写 https://codestral.mistral.ai。',
      },
    },
  },
  // 1500: an unknown model, as a 400; 3505: the capacity of the service is used up.
  classify: classTable({ 'not-found': [1500, 'invalid_model'], throttled: [3505] }),
  fetchModels: openaiModelList(),
})
