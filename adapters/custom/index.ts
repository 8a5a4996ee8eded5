// Any host of the OpenAI dialect behind one fixed address: the base URL is the whole request URL.
import { defineAdapter, type AttemptContext } from '#core'
import {
  fetchOpenaiBalance,
  fitReasoningModel,
  hostMaySearch,
  openaiCompatible,
  resolveEffortSuffix,
} from '#adapter-kit'

const paths = {
  chat: wholeUrl,
  completions: wholeUrl,
  embeddings: wholeUrl,
  moderations: wholeUrl,
  decisions: wholeUrl,
  'images.generations': wholeUrl,
  'images.edits': wholeUrl,
  'audio.speech': wholeUrl,
  'audio.transcriptions': wholeUrl,
  'audio.translations': wholeUrl,
  rerank: wholeUrl,
} as const

export default defineAdapter({
  id: 'custom',
  channelTypes: { 8: 'Custom' },
  baseUrl: '',
  models: [],
  picker: {
    section: 'self-hosted',
    zh: '自定义地址',
    aliases: ['Custom', 'URL', '自定义渠道', 'proxy', '反向代理'],
  },
  summary: 'One fixed address that speaks the OpenAI dialect; {model} in it is replaced.',
  ownedBy: 'custom',
  operations: openaiCompatible({
    operations: [
      'completions',
      'embeddings',
      'moderations',
      'decisions',
      'images.generations',
      'images.edits',
      'audio.speech',
      'audio.transcriptions',
      'audio.translations',
      'rerank',
    ],
    paths,
    request: { chat: (body, { drop }) => fitReasoningModel(body, drop) },
    streamUsage: 'client',
    capabilities: hostMaySearch,
  }),
  resolveModel: (model) => resolveEffortSuffix(model),
  // Works where the address is a host without a path.
  fetchBalance: fetchOpenaiBalance,
  form: {
    baseUrl: {
      required: true,
      help: {
        en: 'The whole request URL; {model} in it is replaced by the model name. Nothing is appended.',
        zh: '完整的请求地址；其中的 {model} 会被替换为模型名，不会追加任何路径。',
      },
    },
  },
})

function wholeUrl({ channel, model }: AttemptContext): string {
  return channel.baseUrl.replaceAll('{model}', encodeURIComponent(model))
}
