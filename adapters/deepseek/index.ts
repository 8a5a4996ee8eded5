// DeepSeek speaks the OpenAI dialect. Source: api-docs.deepseek.com, pages "Reasoning model", "Error codes", "Get user balance".
import { defineAdapter, isObject, openaiCompatible, UpstreamError, type Body } from '#core'

export default defineAdapter({
  id: 'deepseek',
  channelTypes: { 43: 'DeepSeek' },
  baseUrl: 'https://api.deepseek.com',
  // The v4 names are (unconfirmed) as API ids.
  models: [
    'deepseek-chat',
    'deepseek-reasoner',
    'deepseek-v4-flash',
    'deepseek-v4-pro',
    'deepseek-v4-flash-vision-exp',
  ],
  summary: 'DeepSeek chat and reasoning models.',
  operations: openaiCompatible({
    operations: ['completions'],
    paths: { completions: '/beta/completions' },
    request: { chat: toDeepseek },
    answer: { chat: withCachedTokens },
    chunk: withCachedTokens,
  }),
  async fetchBalance(channel, http, { httpOptions, options }) {
    const { status, body } = await http.json(
      {
        method: 'GET',
        url: `${channel.baseUrl}/user/balance`,
        headers: { authorization: `Bearer ${channel.key}` },
      },
      httpOptions,
    )
    const infos =
      isObject(body) && Array.isArray(body['balance_infos'])
        ? body['balance_infos'].filter(isObject)
        : []
    const info = infos.find((entry) => entry['currency'] === 'USD') ?? infos[0]
    if (status !== 200 || !info) {
      throw new UpstreamError({
        status,
        message: `DeepSeek answered its balance with status ${status}.`,
        code: null,
        isKnownShape: true,
      })
    }
    const balance = Number(info['total_balance'])
    return info['currency'] === 'USD' ? balance : balance / options.get<number>('Price')
  },
})

// It knows no developer role and no max_completion_tokens; the reasoner refuses log probabilities, which clients send by habit.
function toDeepseek(body: Body): Body {
  const { max_completion_tokens: limit, ...rest } = body
  const edited: Body =
    limit === undefined ? body : { ...rest, max_tokens: body['max_tokens'] ?? limit }
  return withSystemRole(body['model'] === 'deepseek-reasoner' ? withoutLogprobs(edited) : edited)
}

function withoutLogprobs(body: Body): Body {
  if (body['logprobs'] === undefined && body['top_logprobs'] === undefined) return body
  const { logprobs: _logprobs, top_logprobs: _topLogprobs, ...rest } = body
  return rest
}

function withSystemRole(body: Body): Body {
  const { messages } = body
  if (
    !Array.isArray(messages) ||
    !messages.some((message) => isObject(message) && message['role'] === 'developer')
  )
    return body
  return {
    ...body,
    messages: messages.map((message) =>
      isObject(message) && message['role'] === 'developer'
        ? { ...message, role: 'system' }
        : message,
    ),
  }
}

// Cache hits have a field of their own beside the one that OpenAI clients read.
function withCachedTokens(body: Body): Body {
  const { usage } = body
  if (!isObject(usage) || usage['prompt_tokens_details'] !== undefined) return body
  const hit = usage['prompt_cache_hit_tokens']
  if (typeof hit !== 'number') return body
  return { ...body, usage: { ...usage, prompt_tokens_details: { cached_tokens: hit } } }
}
