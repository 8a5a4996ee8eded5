// Models on Amazon Bedrock: Claude by InvokeModel in its own dialect, all others by Converse. Source: docs.aws.amazon.com/bedrock, API reference of
// the runtime.
import { defineAdapter, type ChatChoice, type DialectChat } from '#core'
import { resolveClaudeSuffix, without } from '#adapter-kit'
import { converse } from './converse.ts'
import { countTokens } from './count-tokens.ts'
import { readCredentials } from './credentials.ts'
import { modelEndpoint, regionOf } from './endpoint.ts'
import { classify, readError } from './failures.ts'
import { bedrockId, bedrockModels, vendorOf, vendorOfCall } from './models.ts'
import { sign } from './sign.ts'
import { toBedrock } from './to-bedrock.ts'
import prices from './prices.json' with { type: 'json' }

const claude: DialectChat = {
  dialects: ['anthropic-messages'],
  endpoint: (_dialect, context) =>
    modelEndpoint(
      bedrockId(context.model, regionOf(context)),
      context.isStream ? 'invoke-with-response-stream' : 'invoke',
      context,
    ),
  body: (body, _dialect, context) => toBedrock(body, context),
  // The last event also has Bedrock's own metrics, which are not Anthropic's.
  streamData: (data) => without(data, 'amazon-bedrock-invocationMetrics'),
  framing: 'aws-event-stream',
}

/** A name without a vendor is taken for Claude's, as before Converse was served. */
const chatByVendor: ChatChoice = (context) =>
  (vendorOfCall(context) ?? 'anthropic') === 'anthropic' ? claude : converse

export default defineAdapter({
  id: 'aws-bedrock',
  channelTypes: { 33: 'AWS Claude' },
  baseUrl: '',
  models: bedrockModels,
  mark: 'bedrock',
  makes: ['amazon', 'nova-', 'titan-'],
  picker: { section: 'popular', aliases: ['Amazon Bedrock', '亚马逊云', 'Nova', 'Claude'] },
  summary: 'Claude, Nova, Llama, Mistral and other models on Amazon Bedrock.',
  prices,
  ownedBy: 'aws',
  operations: { chat: chatByVendor, count_tokens: countTokens },
  form: {
    key: {
      en: 'AccessKeyId|SecretAccessKey|Region, or ApiKey|Region with a Bedrock API key.',
      zh: 'AccessKeyId|SecretAccessKey|Region；使用 Bedrock API 密钥时填写 ApiKey|Region。',
    },
    baseUrl: {
      help: {
        en: 'Blank: the address of the region that the key names.',
        zh: '留空使用密钥中所填区域的地址。',
      },
    },
  },
  checkChannel: (channel) => void readCredentials(channel),
  // Other vendors' names may end in -thinking themselves.
  resolveModel: (model, { options }) =>
    (vendorOf(model) ?? 'anthropic') === 'anthropic'
      ? resolveClaudeSuffix(model, options)
      : { model },
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
