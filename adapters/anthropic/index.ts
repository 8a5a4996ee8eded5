// Anthropic. Source: docs.claude.com, API reference (messages, errors, versioning).
import {
  defineAdapter,
  type AttemptContext,
  type ChannelView,
  type Endpoint,
  type FailureClass,
  type HttpClient,
  type HttpOptions,
  type RawFailure,
} from '#core'
import {
  askJson,
  claudeHeaders,
  joinUrl,
  namesIn,
  refuseThread,
  resolveClaudeSuffix,
} from '#adapter-kit'
import { anthropicModels } from './models.ts'
import prices from './prices.json' with { type: 'json' }

const VERSION = '2023-06-01'

export default defineAdapter({
  id: 'anthropic',
  channelTypes: { 14: 'Anthropic Claude' },
  baseUrl: 'https://api.anthropic.com',
  models: anthropicModels,
  prices,
  mark: 'claude',
  makes: ['claude'],
  picker: { section: 'popular', aliases: ['Claude Code', 'Sonnet', 'Opus', 'Haiku', '克劳德'] },
  summary: 'Claude models at Anthropic.',
  ownedBy: 'anthropic',
  operations: {
    chat: {
      dialects: ['anthropic-messages'],
      endpoint: (_dialect, context) => endpoint('/v1/messages', context),
      body: (body, _dialect, { channel }) =>
        body['thread'] === undefined || isAnthropic(channel) ? body : refuseThread(body),
    },
    count_tokens: { endpoint: (context) => endpoint('/v1/messages/count_tokens', context) },
  },
  resolveModel: (model, { options }) => resolveClaudeSuffix(model, options),
  classify,
  fetchModels,
})

function endpoint(path: string, context: AttemptContext): Endpoint {
  const { baseUrl, key } = context.channel
  return {
    url: joinUrl(baseUrl, path),
    headers: { 'x-api-key': key, 'anthropic-version': VERSION, ...claudeHeaders(context) },
  }
}

/** Others serve this dialect too, and keep no conversations. */
function isAnthropic({ baseUrl }: ChannelView): boolean {
  const host = new URL(baseUrl).hostname
  return host === 'anthropic.com' || host.endsWith('.anthropic.com')
}

// Some refusals of the account are a plain 400, which only its message tells apart.
// The second wording is that of a spending limit of one's own: github.com/anthropics/claude-code, issue 38038.
const emptyAccount =
  /credit balance is too low|reached your specified (?:workspace )?api usage limits/i
const closedAccount = /organization has been disabled/i

/** Codes of the organization's own state, under types that say another thing: SDK 1.14, ErrorDetails. */
const accountCodes: Readonly<Record<string, FailureClass>> = {
  contract_spend_limit_reached: 'insufficient-funds',
  enforced_spend_limit_reached: 'insufficient-funds',
  organization_on_hold: 'invalid-credentials',
  claude_code_key_creator_not_member: 'invalid-credentials',
  cmek_key_disabled: 'invalid-credentials',
}

function classify(failure: RawFailure): FailureClass | undefined {
  const code = failure.details?.['error_code']
  if (typeof code === 'string' && Object.hasOwn(accountCodes, code)) return accountCodes[code]
  if (emptyAccount.test(failure.message)) return 'insufficient-funds'
  if (closedAccount.test(failure.message)) return 'invalid-credentials'
  return undefined
}

async function fetchModels(
  { baseUrl, key }: ChannelView,
  http: HttpClient,
  options: HttpOptions,
): Promise<string[]> {
  const { data } = await askJson(
    http,
    {
      url: joinUrl(baseUrl, '/v1/models?limit=1000'),
      headers: { 'x-api-key': key, 'anthropic-version': VERSION },
    },
    options,
  )
  return namesIn(data, 'id')
}
