// Azure AI Foundry: many vendors' models on one resource. Source: learn.microsoft.com, "Azure AI Model Inference REST API" and "Claude in Foundry".
import { defineAdapter, type AttemptContext, type DialectChat, type Endpoint } from '#core'
import {
  claudeHeaders,
  compatibleEndpoint,
  openaiCompatible,
  resolveClaudeSuffix,
  type CompatibleOptions,
} from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

const DEFAULT_API_VERSION = '2024-05-01-preview'
const CLAUDE_VERSION = '2023-06-01'

const options: CompatibleOptions = {
  operations: ['embeddings'],
  paths: {
    chat: (context) => `/models/chat/completions?${version(context)}`,
    embeddings: (context) => `/models/embeddings?${version(context)}`,
  },
  credentials: ({ channel }) => ({ 'api-key': channel.key }),
  // Fields that the surface does not know go on to the model.
  headers: () => ({ 'extra-parameters': 'pass-through' }),
}
const operations = openaiCompatible(options)

export default defineAdapter({
  id: 'azure-foundry',
  channelTypes: { 1005: 'Azure AI Foundry' },
  baseUrl: '',
  // Deployment names are the customer's own; these are the models that are deployed under their own names (unconfirmed).
  models: [
    'DeepSeek-V3.1',
    'Llama-3.3-70B-Instruct',
    'Mistral-Large-2411',
    'Phi-4',
    'grok-3',
    'claude-sonnet-4-5',
    'claude-opus-4-6',
  ],
  mark: 'azureai',
  picker: { aliases: ['Microsoft', '微软', 'AI Studio'] },
  summary: 'Models of many vendors on a resource of Azure AI Foundry.',
  prices,
  operations: {
    ...operations,
    chat: {
      ...(operations.chat as DialectChat),
      dialects: (model) => (isClaude(model) ? ['anthropic-messages'] : ['openai-chat']),
      endpoint: (dialect, context) =>
        dialect === 'anthropic-messages'
          ? claudeEndpoint(context)
          : compatibleEndpoint('chat', context, options),
    },
  },
  form: {
    baseUrl: {
      required: true,
      help: {
        en: 'The address of the resource, https://NAME.services.ai.azure.com.',
        zh: '资源地址，例如 https://NAME.services.ai.azure.com。',
      },
    },
    other: { label: { en: 'API version', zh: 'API 版本' }, default: DEFAULT_API_VERSION },
  },
  resolveModel: (model, context) =>
    isClaude(model) ? resolveClaudeSuffix(model, context.options) : { model },
})

function isClaude(model: string): boolean {
  return model.startsWith('claude')
}

function version({ channel }: AttemptContext): string {
  return `api-version=${encodeURIComponent(channel.other.trim() || DEFAULT_API_VERSION)}`
}

function claudeEndpoint(context: AttemptContext): Endpoint {
  const { baseUrl, key } = context.channel
  return {
    url: `${baseUrl}/anthropic/v1/messages`,
    headers: { 'anthropic-version': CLAUDE_VERSION, ...claudeHeaders(context), 'x-api-key': key },
  }
}
