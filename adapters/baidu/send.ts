import type { AttemptContext, ChatRequest, JsonObject, UpstreamRequest } from '#core'
import { clamped, compact, reportDropped, flatMessages, type FlatMessage } from '#adapter-kit'
import { pathSuffix } from './models.ts'

export function send(request: ChatRequest, context: AttemptContext): UpstreamRequest {
  const { channel, model, isStream } = context
  reportDropped(
    request,
    [
      'temperature',
      'topP',
      'frequencyPenalty',
      'maxTokens',
      'stop',
      'user',
      'responseFormat',
      'tools',
    ],
    context,
  )
  const { temperature, topP, maxTokens, stop, user, tools } = request
  const [first, ...others] = flatMessages(request, context, { alternates: true })
  const hasSystem = first?.role === 'system'
  const messages = hasSystem || first === undefined ? others : [first, ...others]
  const body = compact({
    messages: messages.map(toMessage),
    system: hasSystem ? first.text : undefined,
    temperature,
    top_p: topP,
    penalty_score: penaltyOf(request, context),
    max_output_tokens: maxTokens === undefined ? undefined : Math.max(2, maxTokens),
    stop: stop?.slice(0, 4), // (unconfirmed) for all models
    response_format: formatOf(request, context),
    user_id: user,
    functions: tools.length === 0 ? undefined : tools.map(toFunction),
    stream: isStream,
  })
  return {
    method: 'POST',
    url: `${channel.baseUrl}/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/${pathSuffix(model)}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(clamped(body, 'temperature', { min: 0.01, max: 1 })),
  }
}

function toMessage({ role, text, calls, name }: FlatMessage): JsonObject {
  if (role === 'tool') return { role: 'function', name, content: text }
  const [call] = calls
  if (call === undefined) return { role, content: text }
  return {
    role,
    content: text,
    function_call: { name: call.name, arguments: call.arguments },
  }
}

/** Baidu's penalty goes from 1 to 2, OpenAI's from -2 to 2: only what both know travels. */
function penaltyOf(
  { frequencyPenalty }: ChatRequest,
  { drop }: AttemptContext,
): number | undefined {
  if (frequencyPenalty === undefined) return undefined
  if (frequencyPenalty >= 1 && frequencyPenalty <= 2) return frequencyPenalty
  drop('frequency_penalty')
  return undefined
}

/** `json_object` is known, schemas are not. (unconfirmed) */
function formatOf({ responseFormat }: ChatRequest, { drop }: AttemptContext): string | undefined {
  if (responseFormat?.type === 'json') return 'json_object'
  if (responseFormat?.type === 'schema') drop('response_format')
  return undefined
}

function toFunction({ name, description, parameters }: ChatRequest['tools'][number]): JsonObject {
  return compact({
    name,
    description: description ?? name,
    parameters: parameters ?? { type: 'object', properties: {} },
  })
}
