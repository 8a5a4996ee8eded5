// Azure AI Foundry: many vendors' models on one resource. Source: learn.microsoft.com, "Azure AI Model Inference REST API" and "Claude in Foundry".
import {
  defineAdapter,
  type AttemptContext,
  type ChannelView,
  type DialectChat,
  type Endpoint,
} from '#core'
import {
  azureDataSettings,
  claudeHeaders,
  compatibleEndpoint,
  openaiCompatible,
  refuseAzureData,
  resolveClaudeSuffix,
  type CompatibleOptions,
} from '#adapter-kit'
import prices from './prices.json' with { type: 'json' }

const DEFAULT_API_VERSION = '2024-05-01-preview'
/** `other` with this value asks for the surface without dated versions. */
const UNDATED = 'v1'
const UNDATED_PATH = '/openai/v1'
const CLAUDE_VERSION = '2023-06-01'

const options: CompatibleOptions = {
  operations: ['embeddings'],
  paths: {
    chat: surface('chat/completions'),
    embeddings: surface('embeddings'),
  },
  credentials: ({ channel }) => ({ 'api-key': channel.key }),
  request: {
    chat: (body, context) => {
      refuseAzureData(body, context)
      return body
    },
  },
  // Fields that the surface does not know go on to the model.
  headers: () => ({ 'extra-parameters': 'pass-through' }),
}
const operations = openaiCompatible(options)

export default defineAdapter({
  id: 'azure-foundry',
  channelTypes: { 1005: 'Azure AI Foundry' },
  baseUrl: '',
  // Deployment names are the customer's own; by default a deployment gets its model's name (page "Add and configure models"). Names of "Foundry Models
  // sold by Azure" (5 October 2026), "Claude models in Microsoft Foundry" (21 September 2026) and, for Phi, "Model retirement schedule".
  models: [
    'claude-fable-5-1',
    'claude-opus-5-5',
    'claude-opus-4-6',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
    'grok-4.7',
    'grok-4-20-reasoning',
    'DeepSeek-V4-Pro',
    'DeepSeek-V4-Flash',
    'Kimi-K2.6',
    'Mistral-Large-3',
    'Llama-3.3-70B-Instruct',
    'Phi-4',
    'embed-v-4-0',
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
  settings: azureDataSettings,
  form: {
    baseUrl: {
      required: true,
      help: {
        en: 'The address of the resource, https://NAME.services.ai.azure.com.',
        zh: '资源地址，例如 https://NAME.services.ai.azure.com。',
      },
    },
    other: {
      label: { en: 'API version', zh: 'API 版本' },
      help: {
        en: 'A date such as 2024-05-01-preview, or v1 for the API without dated versions.',
        zh: '日期版本（如 2024-05-01-preview），或填 v1 使用不带日期的接口。',
      },
      default: DEFAULT_API_VERSION,
    },
  },
  resolveModel: (model, context) =>
    isClaude(model) ? resolveClaudeSuffix(model, context.options) : { model },
})

function isClaude(model: string): boolean {
  return model.startsWith('claude')
}

/** Below /models with a dated version, or OpenAI's own paths below /openai/v1. Source: learn.microsoft.com, "Azure AI Model Inference REST
 *  API" and "Azure OpenAI v1 API". */
function surface(task: string): (context: AttemptContext) => string {
  return ({ channel }) => {
    const resource = resourceOf(channel)
    const named = channel.other.trim() || DEFAULT_API_VERSION
    const version = channel.baseUrl.endsWith(UNDATED_PATH) ? UNDATED : named
    return version === UNDATED
      ? `${resource}${UNDATED_PATH}/${task}`
      : `${resource}/models/${task}?api-version=${encodeURIComponent(version)}`
  }
}

/** The documents name each surface with its path. */
function resourceOf({ baseUrl }: ChannelView): string {
  return baseUrl.replace(/\/(?:models|anthropic|openai(?:\/v1)?)$/, '')
}

function claudeEndpoint(context: AttemptContext): Endpoint {
  const { key } = context.channel
  return {
    url: `${resourceOf(context.channel)}/anthropic/v1/messages`,
    headers: { 'anthropic-version': CLAUDE_VERSION, ...claudeHeaders(context), 'x-api-key': key },
  }
}
