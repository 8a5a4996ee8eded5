// Answers that are neither JSON nor events: audio bytes and subtitles.
import { drained } from '../../net/clients/drained.ts'
import type { PlainOperation } from '../../contract/adapter.ts'
import type { UpstreamResponse } from '../../contract/http-client.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Exchange } from '../attempt/exchange.ts'
import { readBytes } from '../attempt/read-answer.ts'
import { hookEndOf } from '../hooks/hook-ends.ts'
import type { AnswerTexts } from '../hooks/answer-texts.ts'
import { sendWhole } from '../chat/answer-whole.ts'
import { sendFailed } from '../chat/send-failed.ts'
import { countAsked } from '../intake/check-counts.ts'
import { readStreamFailure, ruleOfBreak } from '../failure/stream-failure.ts'
import { operationUsage } from './operation-usage.ts'
import { spokenSound, type SpokenSound } from './spoken-sound.ts'
import { imagePriceOf } from '../charge/price-call.ts'
import type { AnswerDeps, PriceDeps } from '../call/relay-deps.ts'
import { relayErrors } from '../call/relay-errors.ts'
import { requestIdHeaders } from '../../http/request-id.ts'
import { endOfWhole, settleCall } from '../charge/settle-call.ts'
import { isOfPictures } from '../call/operation-kinds.ts'

export type BytesDeps = AnswerDeps & Pick<PriceDeps, 'countFields'>

export type PlainExchange = Exchange<PlainOperation>

const forwarded = ['content-type', 'content-disposition', 'openai-processing-ms'] as const

/** Pipes the answer and holds back the newest chunk, so that the last one can wait for the settlement.
 *  @throws while nothing has reached the client: the caller may then try another channel */
export async function answerBytes(answer: PlainExchange, deps: BytesDeps): Promise<void> {
  const { call, attempt, response } = answer
  if (answer.texts && isText(response)) return answerText(answer, answer.texts, deps)
  const sound = spokenSound(call)
  let held: Uint8Array | undefined
  let sent = 0
  try {
    for await (const chunk of response.body) {
      attempt.drain.took(chunk.length)
      sound?.take(chunk)
      call.client.firstByteAtMs ??= performance.now()
      if (held && !call.client.isGone) {
        if (sent === 0) start(answer)
        sent += held.length
        const { raw } = call.reply
        if (!raw.write(held)) await drained(raw, deps.settings.streamingTimeoutMs)
      }
      held = chunk
    }
    if (!held) throw relayErrors.cut()
  } catch (error) {
    if (!held || (sent === 0 && !call.client.isGone)) throw error
    attempt.abort.abort()
    if (!attempt.drain.isOver) readStreamFailure(error, call, attempt, deps)
    const rule = attempt.drain.isOver ? 'client_left_counted' : ruleOfBreak(error)
    await settleBytes(answer, { rule, sound, isFree: call.client.isGone && sent === 0 }, deps)
    call.reply.raw.destroy()
    return
  }
  const { rule } = endOfWhole(call.client)
  await settleBytes(answer, { rule, sound }, deps)
  if (call.client.isGone) return
  if (sent === 0) start(answer)
  call.reply.raw.end(held)
}

const LONGEST_TEXT_BYTES = 16_777_216

function isText({ headers }: UpstreamResponse): boolean {
  return /^(?:text\/|application\/(?:x-)?subrip)/.test(headers['content-type'] ?? '')
}

/** Answers with subtitles or a plain transcript, which hooks read as a whole. */
async function answerText(
  answer: PlainExchange,
  texts: AnswerTexts,
  deps: BytesDeps,
): Promise<void> {
  const { call, attempt, response } = answer
  const bytes = await readBytes(response, LONGEST_TEXT_BYTES, attempt)
  if (bytes.length === 0) throw relayErrors.cut()
  let text: string
  try {
    text = texts.text(bytes.toString('utf8'))
  } catch (error) {
    if (hookEndOf(error) !== 'answer_refused') throw error
    const shown = readStreamFailure(error, call, attempt, deps)
    await settleBytes(answer, { rule: 'answer_refused' }, deps)
    return sendFailed(call, shown)
  }
  call.client.firstByteAtMs ??= performance.now()
  const { rule } = endOfWhole(call.client)
  await settleBytes(answer, { rule }, deps)
  sendWhole(call, text, forwardedHeaders(response))
}

function forwardedHeaders(response: UpstreamResponse): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of forwarded) if (response.headers[name]) headers[name] = response.headers[name]
  return headers
}

function start({ call, response }: PlainExchange): void {
  const headers = forwardedHeaders(response)
  call.reply.hijack()
  call.reply.raw.writeHead(200, { ...headers, ...requestIdHeaders(call.requestId) })
}

interface BytesOutcome {
  /** The body that reported usage, if there is one. */
  body?: JsonObject | undefined
  /** The sound, if its length is what is charged. */
  sound?: SpokenSound | undefined
  /** How many pictures came. */
  pictures?: number
  /** Tokens of pictures whose stream broke off before it told them. */
  drawnTokens?: number
  rule: string
  isFree?: boolean
}

export async function settleBytes(
  { call, attempt, operation }: PlainExchange,
  outcome: BytesOutcome,
  deps: BytesDeps,
): Promise<void> {
  const { body, sound, rule, isFree = false, pictures = 0, drawnTokens = 0 } = outcome
  const reported = await operationUsage(
    call,
    body,
    body && operation.usage?.(body, attempt.context),
  )
  const spoken = isFree || body ? undefined : (sound ?? spokenSound(call))
  const output = drawnTokens > 0 ? drawnTokens : await spoken?.tokens(reported.input)
  const usage = output === undefined ? reported : { ...reported, output }
  const isReported = body !== undefined && !usage.isEstimated
  const price =
    (isReported || drawnTokens > 0) &&
    isOfPictures(call.operation) &&
    call.unitPrice.mode === 'ratio'
      ? call.unitPrice
      : pictures > countAsked(call, deps.countFields)
        ? imagePriceOf(call, call.unitPrice, pictures)
        : call.price
  const status = call.client.isGone ? 499 : 200
  await settleCall(call, { attempt, usage, rule, status, price, isFree }, deps)
}
