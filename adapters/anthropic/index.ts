// Anthropic. Source: docs.claude.com, API reference (messages, errors, versioning).
import {
  defineAdapter,
  isObject,
  UpstreamError,
  type AttemptContext,
  type ChannelView,
  type Endpoint,
  type FailureClass,
  type HttpClient,
  type HttpOptions,
  type RawFailure,
  type ResolvedModel,
} from '#core'
import { anthropicModels } from './models.ts'

const VERSION = '2023-06-01'

export default defineAdapter({
  id: 'anthropic',
  channelTypes: { 14: 'Anthropic Claude' },
  baseUrl: 'https://api.anthropic.com',
  models: anthropicModels,
  summary: 'Claude models at Anthropic.',
  ownedBy: 'anthropic',
  operations: {
    chat: {
      dialects: ['anthropic-messages'],
      endpoint: (_dialect, context) => endpoint('/v1/messages', context),
    },
    count_tokens: { endpoint: (context) => endpoint('/v1/messages/count_tokens', context) },
  },
  resolveModel: (model, { options }) =>
    resolveThinking(
      model,
      options.get('claude.thinking_adapter_enabled'),
      options.get('claude.thinking_adapter_budget_tokens_percentage'),
    ),
  classify,
  fetchModels,
})

function endpoint(path: string, context: AttemptContext): Endpoint {
  const { channel, clientHeaders, options, model } = context
  const isSameDialect = context.clientDialect === 'anthropic-messages'
  const beta = isSameDialect ? clientHeaders['anthropic-beta'] : undefined
  const own =
    options.get<Record<string, Record<string, string[]>>>('claude.model_headers_settings')[model] ??
    {}
  return {
    url: channel.baseUrl + path,
    headers: {
      'x-api-key': channel.key,
      'anthropic-version': (isSameDialect && clientHeaders['anthropic-version']) || VERSION,
      ...(beta ? { 'anthropic-beta': beta } : {}),
      ...Object.fromEntries(
        Object.entries(own).map(([name, values]) => [name.toLowerCase(), values.join(',')]),
      ),
    },
  }
}

/** `-thinking` asks for a budget that is a share of the output limit; an effort suffix of newer models asks for that effort. */
function resolveThinking(model: string, isEnabled: boolean, budgetShare: number): ResolvedModel {
  if (isEnabled && model.endsWith('-thinking')) {
    return { model: model.slice(0, -'-thinking'.length), thinking: { budgetShare } }
  }
  const effort =
    /^(claude-(?:opus|sonnet|fable)-(?:4-[6-9]|[5-9](?:-\d+)?))-(low|medium|high|xhigh|max|none|minimal)$/.exec(
      model,
    )
  return effort?.[1] === undefined
    ? { model }
    : { model: effort[1], ...(effort[2] === undefined ? {} : { effort: effort[2] }) }
}

// Anthropic says some of its refusals of the account in sentences of a plain 400.
const emptyAccount = /credit balance is too low|reached your specified api usage limits/i // the second wording: (unconfirmed)
const closedAccount = /organization has been disabled/i

function classify(failure: RawFailure): FailureClass | undefined {
  if (emptyAccount.test(failure.message)) return 'no-money'
  if (closedAccount.test(failure.message)) return 'dead-key'
  return undefined
}

async function fetchModels(
  channel: ChannelView,
  http: HttpClient,
  options: HttpOptions,
): Promise<string[]> {
  const { status, body } = await http.json(
    {
      method: 'GET',
      url: `${channel.baseUrl}/v1/models?limit=1000`,
      headers: { 'x-api-key': channel.key, 'anthropic-version': VERSION },
    },
    options,
  )
  const data = isObject(body) && Array.isArray(body['data']) ? body['data'] : undefined
  if (status !== 200 || !data) {
    throw new UpstreamError({
      status,
      message: `The upstream answered its model list with status ${status}.`,
      code: null,
      isKnownShape: true,
    })
  }
  return data.flatMap((entry) =>
    isObject(entry) && typeof entry['id'] === 'string' ? [entry['id']] : [],
  )
}
