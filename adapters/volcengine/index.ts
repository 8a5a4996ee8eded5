// Volcano Ark (Doubao) speaks the OpenAI dialect below /api/v3. Source: volcengine.com/docs/82379, API reference and error codes (1299023).
import { defineAdapter, type AttemptContext, type Body, type ResolvedModel } from '#core'
import {
  jinaRerankAnswer,
  openaiCompatible,
  openaiModelList,
  withoutDeveloperRole,
} from '#adapter-kit'
import { withBotUsage } from './bots.ts'
import { classify } from './failures.ts'
import { fromEmbeddings, isMultimodal, toEmbeddings } from './embeddings.ts'
import { toImageEdit } from './images.ts'
import { volcengineModels } from './models.ts'
import prices from './prices.json' with { type: 'json' }

export default defineAdapter({
  id: 'volcengine',
  channelTypes: { 45: 'Volcano Ark/Doubao' },
  baseUrl: 'https://ark.cn-beijing.volces.com',
  models: volcengineModels,
  mark: 'volcengine',
  picker: {
    section: 'china',
    zh: '火山方舟（豆包）',
    aliases: ['豆包', 'Doubao', '字节跳动', 'ByteDance', 'Volcano Ark', 'Seed', 'Seedream'],
  },
  summary: 'Doubao and hosted models on Volcano Ark, by model, endpoint (ep-…) or bot id.',
  prices,
  operations: openaiCompatible({
    operations: ['embeddings', 'images.generations', 'images.edits', 'rerank'],
    paths: {
      chat: ({ model }) =>
        model.startsWith('bot') ? '/api/v3/bots/chat/completions' : '/api/v3/chat/completions',
      responses: '/api/v3/responses',
      embeddings: ({ model }) =>
        isMultimodal(model) ? '/api/v3/embeddings/multimodal' : '/api/v3/embeddings',
      'images.generations': '/api/v3/images/generations',
      'images.edits': '/api/v3/images/generations',
      rerank: '/api/v3/rerank',
    },
    request: { chat: toArk, embeddings: toEmbeddings },
    form: { 'images.edits': toImageEdit },
    answer: { chat: withBotUsage, embeddings: fromEmbeddings, rerank: jinaRerankAnswer },
    chunk: withBotUsage,
    responses: (model) => /^doubao-seed-(?:1-[6-9]|[2-9])/.test(model),
  }),
  // A series of pictures, drawn where `sequential_image_generation` is on.
  countFields: ['sequential_image_generation_options.max_images'],
  resolveModel,
  classify,
  fetchModels: openaiModelList('/api/v3/models'),
})

const THINKING_SUFFIX = '-thinking'

/** DeepSeek's names with `-thinking` are the plain model with thinking switched on. */
function resolveModel(model: string): ResolvedModel {
  return /^deepseek.+-thinking$/.test(model)
    ? { model: model.slice(0, -THINKING_SUFFIX.length), thinking: {} }
    : { model }
}

/** Volcengine knows no developer role. */
function toArk(body: Body, { resolved }: AttemptContext): Body {
  const fitted = withoutDeveloperRole(body)
  return resolved.thinking === undefined || body.thinking !== undefined
    ? fitted
    : { ...fitted, thinking: { type: 'enabled' } }
}
