// MiniMax: the OpenAI dialect in chat, own formats elsewhere. Source: platform.minimax.io, API reference (chat v2, T2A v2, image, error codes).
import { defineAdapter, type AttemptContext, type Body } from '#core'
import {
  clamped,
  malformedKey,
  messagesSettings,
  openaiCompatible,
  renamed,
  withoutDeveloperRole,
} from '#adapter-kit'
import { fromEmbeddings, toEmbeddings } from './embeddings.ts'
import { classify, readError } from './failures.ts'
import { fromMinimax, fromMinimaxChunk } from './from-minimax.ts'
import { fromImages, toImages } from './images.ts'
import { fromSpeech, toSpeech } from './speech.ts'
import prices from './prices.json' with { type: 'json' }

const operations = openaiCompatible({
  operations: ['embeddings', 'images.generations', 'audio.speech'],
  paths: {
    chat: withGroup('/v1/text/chatcompletion_v2'),
    embeddings: withGroup('/v1/embeddings'),
    'images.generations': withGroup('/v1/image_generation'),
    'audio.speech': withGroup('/v1/t2a_v2'),
  },
  headers: ({ channel }) => ({ authorization: `Bearer ${keyAndGroup(channel.key).key}` }),
  request: {
    chat: toMinimax,
    embeddings: toEmbeddings,
    'images.generations': toImages,
    'audio.speech': toSpeech,
  },
  answer: {
    chat: fromMinimax,
    embeddings: fromEmbeddings,
    'images.generations': fromImages,
    'audio.speech': fromSpeech,
  },
  chunk: fromMinimaxChunk,
  streamUsage: 'client',
  // Page "Anthropic API": M2 and later; top_k, stop_sequences, service_tier and mcp_servers are ignored.
  messages: {
    origins: ['https://api.minimax.io', 'https://api.minimaxi.com'],
    path: '/anthropic',
    serves: (model) => /^MiniMax-M[2-9]/.test(model),
    request: (body) => clamped(body, 'temperature', { min: 0.01, max: 1 }),
  },
})

export default defineAdapter({
  id: 'minimax',
  channelTypes: { 35: 'MiniMax' },
  baseUrl: 'https://api.minimax.chat',
  // Source: platform.minimax.io/docs/guides/text-generation and the Chinese page of that name, which call the fast ones highspeed; M3.1 Flash by its price.
  models: [
    'MiniMax-M3.1-Flash',
    'MiniMax-M3',
    'MiniMax-M2.7',
    'MiniMax-M2.7-highspeed',
    'MiniMax-M2.5',
    'MiniMax-M2.5-highspeed',
    'MiniMax-M2.1',
    'MiniMax-M2.1-highspeed',
    'MiniMax-M2',
    'speech-2.6-hd',
    'speech-2.6-turbo',
    'speech-02-hd',
    'speech-02-turbo',
    'image-01',
  ],
  mark: 'minimax',
  makes: ['minimax', 'abab', 'speech-0', 'speech-2', 'hailuo', 'embo-'],
  picker: { section: 'china', aliases: ['海螺', 'Hailuo', 'abab', '稀宇'] },
  summary: 'MiniMax chat, speech, image and embedding models.',
  prices,
  operations,
  settings: messagesSettings,
  form: {
    key: {
      en: 'API key; where calls need a group: API key|GroupId',
      zh: 'API Key；需要分组的接口填写 API Key|GroupId',
    },
    baseUrl: {
      help: {
        en: 'Current hosts: https://api.minimaxi.com (China), https://api.minimax.io (international).',
        zh: '当前地址：https://api.minimaxi.com（国内）、https://api.minimax.io（国际）。',
      },
    },
  },
  checkChannel: ({ key }) => void keyAndGroup(key),
  readError,
  classify,
})

/** @throws ChannelFault */
function keyAndGroup(text: string): { key: string; group: string | undefined } {
  const [key, group, ...rest] = text.split('|')
  if (!key || group === '' || rest.length > 0)
    throw malformedKey('an API key or API key|GroupId', 'API Key 或 API Key|GroupId')
  return { key, group }
}

function withGroup(path: string): (context: AttemptContext) => string {
  return ({ channel }) => {
    const { group } = keyAndGroup(channel.key)
    return group === undefined ? path : `${path}?GroupId=${encodeURIComponent(group)}`
  }
}

/** Temperature lies above 0 and goes up to 1; there is no developer role; the older models know `max_tokens` only. */
function toMinimax(body: Body, { model }: AttemptContext): Body {
  const fitted = withoutDeveloperRole(clamped(body, 'temperature', { min: 0.01, max: 1 }))
  return model.startsWith('abab') ? renamed(fitted, 'max_completion_tokens', 'max_tokens') : fitted
}
