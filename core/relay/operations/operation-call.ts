// One attempt of an operation that is not a chat: JSON or multipart in; JSON, bytes or events out, in OpenAI's shape.
import type {
  AttemptContext,
  BinaryAnswer,
  Body,
  CallOperation,
  PlainOperation,
} from '../../contract/adapter.ts'
import type { FormPart, UpstreamRequest, UpstreamResponse } from '../../contract/http-client.ts'
import type { Usage } from '../../contract/neutral.ts'
import { ChannelFault, UpstreamError } from '../../contract/errors.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { wellFormed } from '../../dialects/neutral/well-formed.ts'
import { withoutMark } from '../../wire/byte-order-mark.ts'
import { jsonByBytes, typedByBytes } from '../../wire/event-beginning.ts'
import { mediaTypeOf } from '../../wire/media-type.ts'
import { answerTexts } from '../hooks/answer-texts.ts'
import { shownEvents } from '../hooks/shown-events.ts'
import { mapAnswer } from './answer-json.ts'
import { refuseAnswer } from '../chat/refuse-answer.ts'
import { findFailure, findFailureInSuccess } from '../../upstream-failures/read-failure-body.ts'
import { send, type Attempt } from '../attempt/attempt.ts'
import { LARGEST_ANSWER_BYTES, readBytes } from '../attempt/read-answer.ts'
import { byAdapter } from '../attempt/by-adapter.ts'
import { answerBytes, type PlainExchange } from './answer-bytes.ts'
import { answerEvents } from './answer-events.ts'
import { sendWhole, forwardedHeaders } from '../chat/answer-whole.ts'
import { chatAttempt } from '../chat/chat-call.ts'
import { encodeEmbeddings } from './encode-embeddings.ts'
import { fillUsage } from './fill-usage.ts'
import { withoutDocuments } from './rerank-documents.ts'
import { completionsAttempt } from '../chat/completions/native-completions.ts'
import { operationUsage, settledPrice } from './operation-usage.ts'
import { withoutPaidWishes } from '../chat/prepare/paid-wishes.ts'
import { withOverrides } from '../chat/prepare/apply-param-override.ts'
import { chatOf, isDialectChat, mayPassUntouched } from '../chat/prepare/prepare-chat.ts'
import { headersOfDialect } from '../call/client-state.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { OperationDeps } from '../call/relay-deps.ts'
import { endOfWhole, settleCall } from '../charge/settle-call.ts'
import { parseLoosely } from '../../wire/parse-loosely.ts'
import { unreadable } from '../../dialects/neutral/parsed-event.ts'
import { isOfPictures, isOfTranscripts } from '../call/operation-kinds.ts'

/** Operations that answer with bytes: sound, or transcripts as plain text. */
const givesBytes: ReadonlySet<CallOperation> = new Set([
  'audio.speech',
  'audio.transcriptions',
  'audio.translations',
])
/** The type of an error page of some proxy; no provider answers so. */
const PAGE = 'text/html'

export async function operationAttempt(
  call: RelayCall,
  attempt: Attempt,
  deps: OperationDeps,
): Promise<void> {
  const operation = attempt.adapter.operations[call.operation] as PlainOperation | undefined
  if (!operation || operation.isServed?.(attempt.context) === false) {
    // If the upstream has only chat, the prompt of the legacy form becomes one user message.
    if (call.operation === 'completions' && attempt.adapter.operations.chat)
      return chatAttempt(call, attempt, deps)
    throw new ChannelFault('api_not_implemented', {
      en: `The channel type of this channel has no ${call.operation}.`,
      zh: `此类型的渠道不支持 ${call.operation}。`,
    })
  }
  if (call.operation === 'completions') return completionsAttempt(call, attempt, operation, deps)
  const texts = answerTexts(call, deps)
  const shown = shownEvents(call, deps)
  const sent = await send(attempt, await prepare(call, attempt, operation))
  const response = call.isStream ? await typedByBytes(sent) : sent
  const type = mediaTypeOf(response.headers)
  const one = { call, attempt, operation, response, texts, shown }
  if (type.includes('json') || operation.binaryAnswer) return answerOne(one, deps)
  if (type.includes('text/event-stream')) return answerEvents(one, deps)
  // The answer of any other operation is JSON, whatever content type it has.
  const isBytes = givesBytes.has(call.operation) && !isNoAnswer(call.operation, type)
  if (!isBytes) return answerOne(one, deps)
  const known = { ...one, response: await jsonByBytes(response) }
  const isJson = mediaTypeOf(known.response.headers).includes('json')
  return isJson ? answerOne(known, deps) : answerBytes(known, deps)
}

function isNoAnswer(operation: CallOperation, type: string): boolean {
  return type.includes(PAGE) || (operation === 'audio.speech' && type.startsWith('text/'))
}

async function prepare(
  call: RelayCall,
  attempt: Attempt,
  operation: PlainOperation,
): Promise<UpstreamRequest> {
  const { context } = attempt
  const { url, headers, method = 'POST' } = await byAdapter(attempt, operation.endpoint(context))
  if (call.form) {
    const body = operation.form
      ? operation.form(call.form, context)
      : withModel(call.form, context.model)
    if (Array.isArray(body) || body instanceof Uint8Array) return { method, url, headers, body }
    return {
      method,
      url,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(withOverrides(body, attempt)),
    }
  }
  const original = call.body as JsonObject
  let body: Body =
    original['model'] === context.model ? original : { ...original, model: context.model }
  if (call.dialect === 'gemini') body = withoutPurpose(body, attempt)
  if (operation.body)
    body = await byAdapter(attempt, operation.body(wellFormed(body) as Body, context))
  if (!mayPassUntouched(context)) body = withoutPaidWishes(body, call.dialect, context)
  const isForeign = operation.body !== undefined || call.dialect !== 'openai-chat'
  if (isForeign || !mayPassUntouched(context)) body = withOverrides(body, attempt)
  const ownHeaders = isForeign ? {} : headersOfDialect(context)
  return {
    method,
    url,
    headers: { 'content-type': 'application/json', ...ownHeaders, ...headers },
    body: body === original ? call.bytes : JSON.stringify(body),
  }
}

/** Removes Gemini's `task_type`: embedders of other families do not know it, and some refuse it. */
function withoutPurpose(body: Body, attempt: Attempt): Body {
  if (body['task_type'] === undefined) return body
  const { context } = attempt
  const chat = chatOf(attempt)
  const spoken = chat && isDialectChat(chat) ? chat.dialects : []
  const dialects = typeof spoken === 'function' ? spoken(context.model, context.channel) : spoken
  if (dialects.includes('gemini')) return body
  context.drop('taskType')
  const { task_type: _foreign, ...rest } = body
  return rest
}

function withModel(parts: readonly FormPart[], model: string): FormPart[] {
  return [{ name: 'model', value: model }, ...parts.filter((part) => part.name !== 'model')]
}

/** The upstream's answer and what the client gets of it; the same object if nothing was edited. */
interface PlainAnswer {
  bytes: Buffer
  parsed: unknown
  answer: Body | BinaryAnswer
}

async function answerOne(exchange: PlainExchange, deps: OperationDeps): Promise<void> {
  const { call, attempt, operation, response, texts } = exchange
  const whole = await readAnswer(attempt, operation, response)
  const { answer } = whole
  const usage = isBinary(answer)
    ? await operationUsage(call, undefined, answer.usage)
    : await operationUsage(call, answer, operation.usage?.(answer, attempt.context))
  if (!isBinary(answer)) call.record?.take(answer, whole.bytes.length)
  let shown = whole
  try {
    if (texts && !isBinary(answer))
      shown = { ...whole, answer: mapAnswer(answer, call.operation, texts) }
  } catch (error) {
    return refuseAnswer(error, exchange, () => usage, deps)
  }
  call.client.firstByteAtMs ??= performance.now()
  const { rule, status } = endOfWhole(call.client)
  const priced = isBinary(answer) ? {} : settledPrice(call, answer, usage)
  await settleCall(call, { attempt, usage, rule, status, ...priced }, deps)
  sendPlain(call, shown, usage, forwardedHeaders(response.headers))
}

/** @throws UpstreamError for an error inside a 200, or an answer that cannot be read */
async function readAnswer(
  attempt: Attempt,
  operation: PlainOperation,
  response: UpstreamResponse,
): Promise<PlainAnswer> {
  const { adapter, context } = attempt
  const read = await readBytes(response, LARGEST_ANSWER_BYTES, attempt)
  const mediaType = response.headers['content-type'] ?? ''
  const type = mediaTypeOf(response.headers)
  if (operation.binaryAnswer && !type.includes('json') && !type.includes(PAGE)) {
    const answer = operation.binaryAnswer({ mediaType, data: read }, context)
    return { bytes: read, parsed: undefined, answer }
  }
  const bytes = withoutMark(read)
  const parsed = parseLoosely(bytes.toString('utf8'))
  if (typeof parsed !== 'object' || parsed === null) throw unreadable()
  const failure = adapter.readError?.(200, parsed, response.headers) ?? findFailureInSuccess(parsed)
  if (failure) throw new UpstreamError(failure)
  const answer = operation.answer
    ? await byAdapter(attempt, operation.answer(parsed, context), 'body')
    : parsed
  if (!isObject(answer)) throw unreadable()
  if (isBinary(answer) || holdsAnswer(context, answer)) return { bytes, parsed, answer }
  const otherFailure = findFailure(200, parsed)
  throw otherFailure ? new UpstreamError(otherFailure, 'upstream') : unreadable()
}

/** Whether a JSON answer contains what was asked for: vectors, pictures, ranks, judgements, words or sound. One without
 *  is an error in a shape that no rule knew. */
function holdsAnswer({ operation }: AttemptContext, answer: Body): boolean {
  const { data, results, answers, text, segments, audio } = answer
  if (operation === 'rerank' || operation === 'moderations') return Array.isArray(results)
  if (operation === 'decisions') return Array.isArray(answers)
  if (operation === 'audio.speech') return (data ?? audio) !== undefined
  if (isOfTranscripts(operation)) return typeof text === 'string' || Array.isArray(segments)
  if (operation !== 'embeddings' && !isOfPictures(operation)) return true
  return Array.isArray(data) && data.length > 0
}

function isBinary(answer: Body | BinaryAnswer): answer is BinaryAnswer {
  return answer.data instanceof Uint8Array
}

function sendPlain(
  call: RelayCall,
  { bytes, parsed, answer }: PlainAnswer,
  usage: Usage,
  headers: Record<string, string>,
): void {
  if (isBinary(answer)) {
    const data = Buffer.from(answer.data.buffer, answer.data.byteOffset, answer.data.byteLength)
    return sendWhole(call, data, { 'content-type': answer.mediaType })
  }
  const shown = shownAnswer(call, answer, usage)
  sendWhole(call, shown === parsed ? bytes : JSON.stringify(shown), headers)
}

/** The answer as its client asked for it; the same object if nothing is changed. */
export function shownAnswer(call: RelayCall, answer: Body, usage: Usage): Body {
  const filled = fillUsage(call, withoutDocuments(call, answer), usage)
  const encoded = call.operation === 'embeddings' ? encodeEmbeddings(filled, call.body) : filled
  return call.writeAnswer ? call.writeAnswer(encoded) : encoded
}
