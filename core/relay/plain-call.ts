// One attempt of an operation that is no chat: JSON or multipart in, JSON, bytes or events out, in OpenAI's shape.
import type {
  Body,
  FormPart,
  PlainOperation,
  UpstreamRequest,
  UpstreamResponse,
} from '../contract/adapter.ts'
import type { Usage } from '../contract/dialect.ts'
import { ChannelFault, UpstreamError } from '../contract/errors.ts'
import { isObject, type JsonObject } from '../contract/json.ts'
import { findFailureInSuccess } from '../dialects/failure.ts'
import { parseLoosely, readBytes, send, type Attempt } from './attempt.ts'
import { answerBytes } from './answer-bytes.ts'
import { sendJson, unreadableAnswer } from './answer-whole.ts'
import { chatAttempt } from './chat-call.ts'
import { plainUsage, settledPrice } from './plain-usage.ts'
import { withOverrides } from './prepare-chat.ts'
import type { RelayCall } from './relay-call.ts'
import type { RelayDeps } from './relay-deps.ts'
import { settleCall } from './settle-call.ts'

const LARGEST_ANSWER_BYTES = 128 * 1_048_576

export async function plainAttempt(
  call: RelayCall,
  attempt: Attempt,
  deps: RelayDeps,
): Promise<void> {
  const operation = attempt.adapter.operations[call.operation] as PlainOperation | undefined
  if (!operation) {
    // Prompts of the legacy form become one user message where the upstream has chat only.
    if (call.operation === 'completions' && attempt.adapter.operations.chat)
      return chatAttempt(call, attempt, deps)
    throw new ChannelFault(
      'api_not_implemented',
      `The channel type of this channel has no ${call.operation}.`,
    )
  }
  const response = await send(attempt, await prepare(call, attempt, operation))
  const type = response.headers['content-type'] ?? ''
  if (type.includes('json')) await answerJson(call, attempt, operation, response, deps)
  else
    await answerBytes(
      { call, attempt, operation, response, isEvents: type.includes('text/event-stream') },
      deps,
    )
}

async function prepare(
  call: RelayCall,
  attempt: Attempt,
  operation: PlainOperation,
): Promise<UpstreamRequest> {
  const { context } = attempt
  const { url, headers, method = 'POST' } = await operation.endpoint(context)
  if (call.form) {
    const parts = operation.form
      ? operation.form(call.form, context)
      : withModel(call.form, context.model)
    return { method, url, headers, body: parts }
  }
  const original = call.body as JsonObject
  let body: Body =
    original['model'] === context.model ? original : { ...original, model: context.model }
  if (operation.body) body = await operation.body(body, context)
  body = withOverrides(body, attempt)
  return {
    method,
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: body === original ? call.bytes : JSON.stringify(body),
  }
}

function withModel(parts: readonly FormPart[], model: string): FormPart[] {
  return [{ name: 'model', value: model }, ...parts.filter((part) => part.name !== 'model')]
}

async function answerJson(
  call: RelayCall,
  attempt: Attempt,
  operation: PlainOperation,
  response: UpstreamResponse,
  deps: RelayDeps,
): Promise<void> {
  const { adapter, context } = attempt
  const bytes = await readBytes(response, LARGEST_ANSWER_BYTES)
  const parsed = parseLoosely(bytes.toString('utf8'))
  if (typeof parsed !== 'object' || parsed === null) throw unreadableAnswer(undefined)
  const failure = adapter.readError?.(200, parsed) ?? findFailureInSuccess(parsed)
  if (failure) throw new UpstreamError(failure)
  const body = operation.answer ? await operation.answer(parsed, context) : (parsed as Body)
  if (!isObject(body)) throw unreadableAnswer(undefined)
  const usage: Usage = plainUsage(call, body, operation.usage?.(body, context))
  call.client.firstByteAtMs ??= performance.now()
  const isGone = call.client.isGone
  const { price, details } = settledPrice(call, body, usage)
  await settleCall(
    call,
    {
      attempt,
      usage,
      rule: isGone ? 'client_left_drained' : 'completed',
      status: isGone ? 499 : 200,
      price,
      details,
    },
    deps,
  )
  const shown = call.writeAnswer ? call.writeAnswer(body) : body
  sendJson(call, 200, shown === parsed ? bytes : JSON.stringify(shown), {})
}
