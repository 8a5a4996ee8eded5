// Azure OpenAI. Source: learn.microsoft.com, "Azure OpenAI in Azure AI Foundry Models REST API reference".
import { defineAdapter, type AttemptContext, type Body } from '#core'
import {
  azureDataSettings,
  fitReasoningModel,
  isResponsesOnly,
  openaiCompatible,
  refuseAzureData,
  resolveEffortSuffix,
  without,
} from '#adapter-kit'
import {
  apiVersion,
  decisionsAddress,
  realtimeAddress,
  responsesAddress,
  takesStreamOptions,
  taskAddress,
} from './address.ts'
import { azureModels } from './models.ts'
import prices from './prices.json' with { type: 'json' }

const apiKey = ({ channel }: AttemptContext) => ({ 'api-key': channel.key })

export default defineAdapter({
  id: 'azure',
  channelTypes: { 3: 'Azure OpenAI' },
  baseUrl: '',
  models: azureModels,
  mark: 'azure',
  picker: { section: 'popular', aliases: ['Microsoft', '微软', 'GPT'] },
  summary: 'OpenAI models deployed in Microsoft Azure.',
  prices,
  ownedBy: 'openai',
  operations: {
    ...openaiCompatible({
      operations: [
        'completions',
        'embeddings',
        'decisions',
        'images.generations',
        'images.edits',
        'audio.speech',
        'audio.transcriptions',
        'audio.translations',
      ],
      paths: {
        chat: taskAddress('chat/completions'),
        responses: responsesAddress,
        completions: taskAddress('completions'),
        embeddings: taskAddress('embeddings'),
        decisions: decisionsAddress,
        'images.generations': taskAddress('images/generations'),
        'images.edits': taskAddress('images/edits'),
        'audio.speech': taskAddress('audio/speech'),
        'audio.transcriptions': taskAddress('audio/transcriptions'),
        'audio.translations': taskAddress('audio/translations'),
      },
      credentials: apiKey,
      request: { chat: toAzure },
      responses: (model) => (isResponsesOnly(model) ? 'only' : true),
    }),
    realtime: {
      apis: ['realtime', 'realtime.transcription', 'live'],
      endpoint: (context) => ({
        url: realtimeAddress(context, context.api),
        headers: apiKey(context),
        protocols: context.api === 'live' ? [] : ['realtime'],
      }),
    },
  },
  settings: azureDataSettings,
  form: {
    baseUrl: {
      required: true,
      help: {
        en: 'The address of the resource, https://NAME.openai.azure.com.',
        zh: '资源地址，例如 https://NAME.openai.azure.com。',
      },
    },
    other: {
      label: { en: 'API version', zh: 'API 版本' },
      help: {
        en: 'A date such as 2024-10-21, or v1 for the API without dated versions. Blank: the default of this gateway.',
        zh: '日期版本（如 2024-10-21），或填 v1 使用不带日期的接口。留空使用本网关的默认值。',
      },
    },
  },
  resolveModel: (model) => resolveEffortSuffix(model),
})

function toAzure(body: Body, context: AttemptContext): Body {
  refuseAzureData(body, context)
  const fitted = fittedToFamily(body, context)
  return takesStreamOptions(apiVersion(context)) ? fitted : without(fitted, 'stream_options')
}

/** The name of a deployment need not contain its model's; then the client's name for the model decides which fields fit. */
function fittedToFamily(body: Body, { model, requestedModel, drop }: AttemptContext): Body {
  const byDeployment = fitReasoningModel(body, drop)
  if (byDeployment !== body || requestedModel === model) return byDeployment
  return { ...fitReasoningModel({ ...body, model: requestedModel }, drop), model }
}
