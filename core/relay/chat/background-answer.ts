// A response that its upstream makes in the background: the client has its id, the charge follows when it is done.
import { setTimeout as wait } from 'node:timers/promises'
import type { ChatEvent } from '../../contract/neutral.ts'
import { UpstreamError } from '../../contract/errors.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { codecs } from '../../dialects/index.ts'
import { sendWhole } from './answer-whole.ts'
import { parseLoosely, readText, type Attempt } from '../attempt/attempt.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { SettleDeps } from '../call/relay-deps.ts'
import { settleCall } from '../charge/settle-call.ts'
import { proxyResponse } from './response-proxy.ts'
import type { UsageTally } from '../charge/usage-tally.ts'

const FIRST_LOOK_MS = 1_000
const LONGEST_PAUSE_MS = 15_000
const PATIENCE_MS = 3_600_000
const LARGEST_ANSWER_BYTES = 128 * 1_048_576

interface BackgroundAnswer {
  call: RelayCall
  attempt: Attempt
  bytes: Buffer
  events: readonly ChatEvent[]
  tally: UsageTally
  watch: ((event: ChatEvent) => void) | undefined
}

export function isUnderWay(call: RelayCall, body: JsonObject): boolean {
  return call.body?.['background'] === true && isPending(body)
}

/** Answers at once; the reservation stays open until the upstream is done. */
export function answerBackground(answer: BackgroundAnswer, deps: SettleDeps): void {
  const { call, bytes, events, watch } = answer
  let id = ''
  for (const event of events) {
    watch?.(event)
    if (event.type === 'start') id = event.id ?? ''
  }
  call.client.firstByteAtMs ??= performance.now()
  sendWhole(call, 200, bytes, {})
  follow(answer, id, deps).catch((error: unknown) =>
    deps.log.error(
      { err: error, requestId: call.requestId },
      'a background response is not booked',
    ),
  )
}

/** What cannot be looked up any more is charged by what it was asked, which the upstream has read. */
async function follow(
  { call, attempt, tally }: BackgroundAnswer,
  id: string,
  deps: SettleDeps,
): Promise<void> {
  const body = await finished(attempt, id)
  const isFailed = body?.['status'] === 'failed'
  if (body && !isFailed)
    for (const event of codecs['openai-responses'].parseAnswer(body)) tally.see(event)
  const usage = body ? tally.complete() : tally.delivered()
  const rule = body ? 'completed' : 'background_lost'
  await settleCall(call, { attempt, usage, rule, status: 200, isFree: isFailed, tally }, deps)
}

/** Undefined when it was deleted, or did not end in time. */
async function finished(attempt: Attempt, id: string): Promise<JsonObject | undefined> {
  const giveUpAt = performance.now() + PATIENCE_MS
  for (let pauseMs = FIRST_LOOK_MS; performance.now() < giveUpAt; pauseMs = longer(pauseMs)) {
    await wait(pauseMs)
    const body = await look(attempt, id)
    if (body === 'gone') return undefined
    if (body && !isPending(body)) return body
  }
  return undefined
}

async function look(attempt: Attempt, id: string): Promise<JsonObject | 'gone' | undefined> {
  try {
    const response = await proxyResponse(attempt, { id, method: 'GET', suffix: '', query: {} })
    const body = parseLoosely(await readText(response, LARGEST_ANSWER_BYTES))
    return isObject(body) ? body : undefined
  } catch (error) {
    return isNotFound(error) ? 'gone' : undefined
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof UpstreamError && error.failure.status === 404
}

function isPending({ status }: JsonObject): boolean {
  return status === 'queued' || status === 'in_progress'
}

function longer(pauseMs: number): number {
  return Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)
}
