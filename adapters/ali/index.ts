// Alibaba Qwen on DashScope: the OpenAI dialect in chat and embeddings, its own in images, speech and rerank.
// Source: help.aliyun.com/zh/model-studio, API reference and page "Error codes".
import { defineAdapter, type AttemptContext, type Body } from '#core'
import { messagesSettings, openaiCompatible, openaiModelList } from '#adapter-kit'
import { classify } from './failures.ts'
import { awaitImages, toImageTask } from './images.ts'
import { nativeUrl } from './native-url.ts'
import { aliModels } from './models.ts'
import {
  drawsAtOnce,
  fromPicture,
  fromSpeech,
  isSynthesizer,
  MULTIMODAL_PATH,
  SPEECH_PATH,
  toPicture,
  toSpeech,
} from './multimodal.ts'
import { fromRerank, toRerank } from './rerank.ts'
import { toQwen } from './to-qwen.ts'
import prices from './prices.json' with { type: 'json' }

const servedAsMessages =
  /^qwen(?:3[\d.]*-(?:max|plus|flash|coder|vl)|-(?:plus|flash|turbo|vl-max|vl-plus))/

export default defineAdapter({
  id: 'ali',
  channelTypes: { 17: 'Alibaba Qwen' },
  baseUrl: 'https://dashscope.aliyuncs.com',
  models: aliModels,
  prices,
  mark: 'qwen',
  makes: ['qwen', 'qwq', 'qvq', 'tongyi', 'wanx', 'wan2', 'gte-', 'text-embedding-v'],
  picker: {
    section: 'popular',
    zh: '阿里云百炼（通义千问）',
    aliases: ['阿里巴巴', '千问', 'DashScope', 'Bailian', 'Model Studio', '灵积'],
  },
  summary: 'Qwen and hosted models on Alibaba DashScope: chat, embeddings, images, speech, rerank.',
  operations: openaiCompatible({
    operations: ['embeddings', 'images.generations', 'audio.speech', 'rerank'],
    paths: {
      chat: '/compatible-mode/v1/chat/completions',
      embeddings: '/compatible-mode/v1/embeddings',
      'images.generations': native(({ model }) =>
        drawsAtOnce(model) ? MULTIMODAL_PATH : '/services/aigc/text2image/image-synthesis',
      ),
      'audio.speech': native(({ model }) => (isSynthesizer(model) ? SPEECH_PATH : MULTIMODAL_PATH)),
      rerank: native(() => '/services/rerank/text-rerank/text-rerank'),
    },
    headers,
    request: {
      chat: toQwen,
      'images.generations': toImages,
      'audio.speech': toSpeech,
      rerank: toRerank,
    },
    answer: { 'images.generations': fromImages, 'audio.speech': fromSpeech, rerank: fromRerank },
    // Page "Anthropic API compatibility": a list of Qwen models; the search suffix is a matter of the OpenAI form.
    messages: {
      origins: ['https://dashscope.aliyuncs.com', 'https://dashscope-intl.aliyuncs.com'],
      path: '/apps/anthropic',
      serves: (model) => servedAsMessages.test(model) && !model.endsWith('-internet'),
    },
  }),
  settings: messagesSettings,
  form: {
    baseUrl: {
      help: {
        en: 'Blank for mainland China; https://dashscope-intl.aliyuncs.com for the international platform.',
        zh: '留空表示中国大陆平台；国际平台请填写 https://dashscope-intl.aliyuncs.com。',
      },
    },
    other: {
      label: { en: 'Plugins', zh: '插件参数' },
      help: {
        en: 'Sent as the X-DashScope-Plugin header; may stay empty.',
        zh: '作为 X-DashScope-Plugin 请求头发送，可留空。',
      },
    },
  },
  classify,
  fetchModels: openaiModelList('/compatible-mode/v1/models'),
})

/** DashScope's own API stands beside the compatible one, whose address the documents name. */
function native(pathOf: (context: AttemptContext) => string): (context: AttemptContext) => string {
  return (context) => nativeUrl(context.channel.baseUrl, pathOf(context))
}

function headers({ channel, operation, model }: AttemptContext): Record<string, string> {
  const isTask = operation === 'images.generations' && !drawsAtOnce(model)
  return {
    ...(channel.other === '' ? {} : { 'x-dashscope-plugin': channel.other }),
    ...(isTask ? { 'x-dashscope-async': 'enable' } : {}),
  }
}

function toImages(body: Body, context: AttemptContext): Body {
  return drawsAtOnce(context.model) ? toPicture(body, context) : toImageTask(body)
}

function fromImages(body: Body, context: AttemptContext): Promise<Body> {
  return drawsAtOnce(context.model) ? fromPicture(body, context) : awaitImages(body, context)
}
