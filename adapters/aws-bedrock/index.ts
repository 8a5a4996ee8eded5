// Claude on Amazon Bedrock. Source: docs.aws.amazon.com/bedrock, API reference of the runtime (InvokeModel).
import {
  defineAdapter,
  resolveClaudeSuffix,
  without,
  type AttemptContext,
  type Endpoint,
} from '#core'
import { readCredentials } from './credentials.ts'
import { classify, readError } from './failures.ts'
import { bedrockId, bedrockModels } from './models.ts'
import { sign } from './sign.ts'
import { toBedrock } from './to-bedrock.ts'

export default defineAdapter({
  id: 'aws-bedrock',
  channelTypes: { 33: 'AWS Claude' },
  baseUrl: '',
  models: bedrockModels,
  summary: 'Claude models on Amazon Bedrock.',
  ownedBy: 'aws',
  operations: {
    chat: {
      dialects: ['anthropic-messages'],
      endpoint: (_dialect, context) => endpoint(context),
      body: (body, _dialect, context) => toBedrock(body, context),
      // Bedrock's own measurements ride on the last event.
      streamData: (data) => without(data, 'amazon-bedrock-invocationMetrics'),
      framing: 'aws-event-stream',
    },
  },
  form: {
    key: {
      en: 'AccessKeyId|SecretAccessKey|Region, or ApiKey|Region with a Bedrock API key.',
      zh: 'AccessKeyId|SecretAccessKey|Region；使用 Bedrock API 密钥时填写 ApiKey|Region。',
    },
    baseUrl: {
      help: { en: 'Blank: the host of the region.', zh: '留空使用所在区域的地址。' },
    },
  },
  checkChannel: (channel) => void readCredentials(channel),
  resolveModel: (model, { options }) => resolveClaudeSuffix(model, options),
  readError,
  classify,
  // The signature covers the finished body, so it is made last.
  async transport(request, context) {
    const credentials = readCredentials(context.channel)
    const sent =
      credentials.kind === 'keys' ? await sign(request, credentials, context.now()) : request
    return context.http.request(sent, context.httpOptions)
  },
})

function endpoint({ channel, model, isStream }: AttemptContext): Endpoint {
  const credentials = readCredentials(channel)
  const { region } = credentials
  const base = channel.baseUrl || `https://bedrock-runtime.${region}.amazonaws.com`
  const task = isStream ? 'invoke-with-response-stream' : 'invoke'
  return {
    url: `${base}/model/${encodeURIComponent(bedrockId(model, region))}/${task}`,
    headers: {
      accept: 'application/json',
      ...(credentials.kind === 'token' ? { authorization: `Bearer ${credentials.token}` } : {}),
    },
  }
}
