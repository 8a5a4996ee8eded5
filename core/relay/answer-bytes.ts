// Answers that are no JSON: audio bytes, subtitles, and event streams of images, speech and transcripts.
import type { PlainOperation, UpstreamResponse } from '../contract/adapter.ts'
import type { SseEvent } from '../contract/dialect.ts'
import { UpstreamError } from '../contract/errors.ts'
import { isObject, type JsonObject } from '../contract/json.ts'
import { findFailureInSuccess } from '../dialects/failure.ts'
import { SseSplitter } from '../dialects/sse.ts'
import type { Attempt } from './attempt.ts'
import { parseLoosely } from './attempt.ts'
import { streamHeaders } from './client-stream.ts'
import { plainUsage } from './plain-usage.ts'
import type { RelayCall } from './relay-call.ts'
import type { RelayDeps } from './relay-deps.ts'
import { relayErrors } from './relay-errors.ts'
import { requestIdHeaders } from './request-id-headers.ts'
import { settleCall } from './settle-call.ts'

export interface BytesAnswer {
  call: RelayCall
  attempt: Attempt
  operation: PlainOperation
  response: UpstreamResponse
  isEvents: boolean
}

const forwarded = ['content-type', 'content-disposition', 'openai-processing-ms'] as const

/** Pipes the answer, one chunk behind: the last one waits for the settlement.
 *  @throws before the first chunk only */
export async function answerBytes(answer: BytesAnswer, deps: RelayDeps): Promise<void> {
  const { call, attempt } = answer
  const scan = answer.isEvents ? new EventScan() : undefined
  let held: Uint8Array | undefined
  let hasStarted = false
  try {
    for await (const chunk of bodyOf(answer)) {
      attempt.drain.took(chunk.length)
      scan?.push(chunk)
      if (!hasStarted) start(answer)
      hasStarted = true
      if (held && !call.client.isGone && !call.reply.raw.write(held)) await drained(call)
      held = chunk
    }
    if (!hasStarted) throw relayErrors.cut()
  } catch (error) {
    if (!hasStarted) throw error
    attempt.abort.abort()
    await settle(answer, scan, attempt.drain.isOver ? 'client_left_counted' : 'upstream_cut', deps)
    call.reply.raw.destroy()
    return
  }
  await settle(answer, scan, call.client.isGone ? 'client_left_drained' : 'completed', deps)
  if (!call.client.isGone) call.reply.raw.end(held)
}

/** The answer's bytes, its events edited by the adapter where it says so. */
function bodyOf({
  operation,
  attempt,
  response,
  isEvents,
}: BytesAnswer): AsyncIterable<Uint8Array> {
  const { streamData } = operation
  if (!isEvents || !streamData) return response.body
  return editedEvents(response.body, (data) => streamData(data, attempt.context))
}

async function* editedEvents(
  body: AsyncIterable<Uint8Array>,
  edit: (data: JsonObject) => JsonObject | undefined,
): AsyncIterable<Uint8Array> {
  const splitter = new SseSplitter()
  for await (const chunk of body) {
    const text = splitter
      .push(chunk)
      .map((event) => editedText(event, edit))
      .join('')
    if (text !== '') yield Buffer.from(text)
  }
  const rest = splitter
    .end()
    .map((event) => editedText(event, edit))
    .join('')
  if (rest !== '') yield Buffer.from(rest)
}

function editedText(event: SseEvent, edit: (data: JsonObject) => JsonObject | undefined): string {
  const data = parseLoosely(event.data)
  if (!isObject(data) || data['error'] !== undefined) return event.raw
  const edited = edit(data)
  if (edited === data) return event.raw
  return edited === undefined ? '' : `data: ${JSON.stringify(edited)}\n\n`
}

function start({ call, response, isEvents }: BytesAnswer): void {
  call.client.firstByteAtMs ??= performance.now()
  if (call.client.isGone) return
  const headers: Record<string, string> = {}
  for (const name of forwarded) if (response.headers[name]) headers[name] = response.headers[name]
  call.reply.hijack()
  call.reply.raw.writeHead(200, {
    ...headers,
    ...(isEvents ? streamHeaders : {}),
    ...requestIdHeaders(call.requestId),
  })
}

async function settle(
  { call, attempt, operation }: BytesAnswer,
  scan: EventScan | undefined,
  rule: string,
  deps: RelayDeps,
): Promise<void> {
  const body = scan?.last
  const usage = plainUsage(call, body, body && operation.usage?.(body, attempt.context))
  const isReported = body !== undefined && !usage.isEstimated
  const price =
    isReported && call.operation.startsWith('images.') && call.unitPrice.mode === 'ratio'
      ? call.unitPrice
      : call.price
  await settleCall(
    call,
    { attempt, usage, rule, status: call.client.isGone ? 499 : 200, price },
    deps,
  )
}

function drained(call: RelayCall): Promise<void> {
  const { raw } = call.reply
  return new Promise((resolve) => {
    const done = () => {
      raw.off('drain', done)
      raw.off('close', done)
      resolve()
    }
    raw.once('drain', done)
    raw.once('close', done)
  })
}

/** Keeps the last event that tells usage; an error before anything else is an error of the call. */
class EventScan {
  readonly #splitter = new SseSplitter()
  #isFirst = true
  last: JsonObject | undefined

  push(chunk: Uint8Array): void {
    for (const event of this.#splitter.push(chunk)) {
      if (!this.#isFirst && !event.data.includes('"usage"')) continue
      const data = parseLoosely(event.data)
      if (!isObject(data)) continue
      const failure = this.#isFirst ? findFailureInSuccess(data) : undefined
      if (failure) throw new UpstreamError(failure)
      this.#isFirst = false
      if (isObject(data['usage'])) this.last = data
    }
  }
}
