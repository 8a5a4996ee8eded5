// A whole answer: read, checked for an error inside the success, settled, then sent.
import type { UpstreamResponse } from '../../contract/http-client.ts'
import type { AnswerMeta } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { isObject } from '../../contract/json.ts'
import { clientCodec } from './client-codec.ts'
import { withoutMark } from '../../wire/byte-order-mark.ts'
import type { EventSplitter } from '../../wire/sse.ts'
import type { Attempt } from '../attempt/attempt.ts'
import { LARGEST_ANSWER_BYTES, readBytes } from '../attempt/read-answer.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { AnswerDeps } from '../call/relay-deps.ts'
import { refuseAnswer } from './refuse-answer.ts'
import { requestIdHeaders } from '../../http/request-id.ts'
import { seeEvent, type Watched } from './see-event.ts'
import { endOfWhole, settleCall } from '../charge/settle-call.ts'
import { pushLast, type StreamPipeline } from './stream-pipeline.ts'
import { isOutput, type UsageTally } from '../charge/usage-tally.ts'
import { unreadable } from '../../dialects/neutral/parsed-event.ts'
import { boundedJson } from '../../wire/bounded-json.ts'

const MOST_COPIED_BYTES = 16_384

export function readAnswerBytes(response: UpstreamResponse, attempt?: Attempt): Promise<Buffer> {
  return readBytes(response, LARGEST_ANSWER_BYTES, attempt)
}

/** Reads a JSON answer.
 *  @throws UpstreamError if it is none */
export function answerBodyOf(read: Buffer): { bytes: Buffer; body: JsonObject } {
  try {
    const bytes = withoutMark(read)
    const parsed = boundedJson(bytes.toString('utf8'))
    if (isObject(parsed)) return { bytes, body: parsed }
    // Google sends the error of a streamed call inside a list.
    const only: unknown = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : undefined
    if (isObject(only)) return { bytes: Buffer.from(JSON.stringify(only)), body: only }
  } catch (cause) {
    throw unreadable(cause)
  }
  throw unreadable()
}

/** Collects a stream that the upstream sent although none was asked for. */
export async function collectStream(
  response: UpstreamResponse,
  splitter: EventSplitter,
  translator: StreamPipeline,
  attempt?: Pick<Attempt, 'drain' | 'share'>,
): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  try {
    for await (const chunk of response.body) {
      attempt?.drain.took(chunk.length)
      attempt?.share.take(chunk.length)
      for (const event of splitter.push(chunk)) events.push(...translator.push(event).events)
    }
  } catch (error) {
    // A break after the end of the answer does not affect it.
    if (!translator.isComplete) throw error
  }
  for (const event of splitter.end()) events.push(...(pushLast(translator, event)?.events ?? []))
  events.push(...translator.end(() => undefined).events)
  if (!translator.isComplete && !events.some((event) => event.type === 'error')) throw unreadable()
  return events
}

export type Shape = (events: readonly ChatEvent[]) => readonly ChatEvent[]

export interface WholeAnswer extends Watched {
  attempt: Attempt
  events: readonly ChatEvent[]
  meta: AnswerMeta
  /** The upstream's bytes and body if both sides speak the same dialect. They are sent unchanged unless something must
   *  be repaired. */
  passed?: { bytes: Buffer; body: JsonObject; isEdited: boolean } | undefined
  /** Changes the events before the client sees them.
   *  @returns the same list if nothing changes
   *  @throws AppError of a hook */
  shape?: Shape | undefined
  /** Headers of the upstream's answer. */
  headers?: UpstreamResponse['headers']
}

/** @throws UpstreamError for an error inside a 200 or an answer without any output */
export async function answerWhole(answer: WholeAnswer, deps: AnswerDeps): Promise<void> {
  const { call, attempt, tally } = answer
  look(answer)
  let payload: Buffer | string
  try {
    payload = payloadOf(answer)
  } catch (error) {
    return refuseAnswer(error, answer, () => tally.complete(), deps)
  }
  const { rule, status } = endOfWhole(call.client)
  call.client.firstByteAtMs ??= performance.now()
  await settleCall(call, { attempt, usage: tally.complete(), rule, status, tally }, deps)
  sendWhole(call, payload, forwardedHeaders(answer.headers))
}

function look(answer: WholeAnswer): void {
  let hasOutput = false
  for (const event of answer.events) {
    seeEvent(answer, event)
    hasOutput ||= isOutput(event)
  }
  if (!hasOutput) throw unreadable()
}

function payloadOf(answer: WholeAnswer): Buffer | string {
  const { call, events, meta, passed, tally } = answer
  const codec = clientCodec(call)
  const shown = answer.shape ? answer.shape(events) : events
  if (!passed || shown !== events)
    return JSON.stringify(codec.writeAnswer(withUsage(shown, tally), meta))
  const body = codec.passAnswer(passed.body, meta, tally.unreported())
  return body === passed.body && !passed.isEdited ? passed.bytes : JSON.stringify(body)
}

/** If the upstream reports no usage, the answer gets our own count, so that every client can read one. */
function withUsage(events: readonly ChatEvent[], tally: UsageTally): readonly ChatEvent[] {
  const usage = tally.unreported()
  return usage ? [...events, { type: 'usage', usage }] : events
}

/** The headers of the upstream that the client may see, besides the content type. */
export function forwardedHeaders(
  headers: UpstreamResponse['headers'] = {},
): Record<string, string> {
  const time = headers['openai-processing-ms']
  return time === undefined ? {} : { 'openai-processing-ms': time }
}

/** Sends a whole answer on a hijacked reply; JSON unless `headers` say otherwise. */
export function sendWhole(
  call: Pick<RelayCall, 'reply' | 'client' | 'requestId'>,
  payload: Buffer | string,
  headers: Record<string, string>,
): void {
  if (call.client.isGone) return
  const { raw } = call.reply
  call.reply.hijack()
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  raw.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    ...requestIdHeaders(call.requestId),
    ...headers,
  })
  // Node joins a head and a text into one string. With a buffer it writes two pieces, which costs more than copying a
  // short body.
  if (bytes.length <= MOST_COPIED_BYTES) raw.end(bytes.toString('latin1'), 'latin1')
  else raw.end(bytes)
}
