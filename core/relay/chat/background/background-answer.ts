// A response that its upstream makes in the background: the client gets its id at once, and the charge follows when the response is done.
import { setTimeout as wait } from 'node:timers/promises'
import type { ChatEvent, Usage } from '../../../contract/neutral.ts'
import { UpstreamError } from '../../../contract/errors.ts'
import { isObject, type JsonObject } from '../../../contract/json.ts'
import { codecs } from '../../../dialects/index.ts'
import { noUsage } from '../../../dialects/neutral/usage.ts'
import { sendWhole } from '../answer-whole.ts'
import type { Attempt } from '../../attempt/attempt.ts'
import { LARGEST_ANSWER_BYTES, readText } from '../../attempt/read-answer.ts'
import { countPrompt } from '../count-prompt.ts'
import { Drain } from '../../call/drain.ts'
import type { RelayCall } from '../../call/relay-call.ts'
import type { ChatDeps, SettleDeps } from '../../call/relay-deps.ts'
import { keepCharge, type KeepDeps, pricedFields } from './keep-charge.ts'
import { settleCall, type CallOutcome } from '../../charge/settle-call.ts'
import { completionWindowMs } from './completion-window.ts'
import { proxyResponse } from './response-proxy.ts'
import type { EarlyRead } from '../../conversation/early-reads.ts'
import { UsageTally } from '../../charge/usage-tally.ts'
import { parseLoosely } from '../../../wire/parse-loosely.ts'

const FIRST_LOOK_MS = 1_000
/** An hour's response is looked at every 15 seconds in the end, one that may take longer less often. */
const LOOKS = 240

interface BackgroundAnswer {
  call: RelayCall
  attempt: Attempt
  bytes: Buffer
  events: readonly ChatEvent[]
  watch: ((event: ChatEvent) => void) | undefined
}

type FollowDeps = SettleDeps & Pick<ChatDeps, 'background'>

export function isUnderWay(call: RelayCall, body: JsonObject): boolean {
  return isBackground(call) && isPending(body)
}

export function isBackground({ body }: Pick<RelayCall, 'body'>): boolean {
  return body?.['background'] === true
}

/** Answers as soon as the charge outlives this process; the reservation stays open until the upstream is done. */
export async function answerBackground(
  answer: BackgroundAnswer,
  deps: FollowDeps & KeepDeps,
): Promise<void> {
  const { call, attempt, bytes, events, watch } = answer
  let id = ''
  for (const event of events) {
    watch?.(event)
    if (event.type === 'start') id = event.id ?? ''
  }
  call.client.firstByteAtMs ??= performance.now()
  await keepCharge(call, attempt, id, deps)
  sendWhole(call, bytes, {})
  // If the response can no longer be looked up, its prompt is charged: the upstream has read it.
  const usage = { ...noUsage, input: call.promptEstimate, isEstimated: true }
  followResponse({ call, attempt, id, lost: known(usage) }, deps)
}

export interface FollowedResponse {
  call: RelayCall
  attempt: Attempt
  id: string
  /** What to charge if the end of the response cannot be found out. */
  lost: () => Usage
}

/** Settles the call when the upstream has finished the response, whoever reads it. */
export function followResponse(followed: FollowedResponse, deps: FollowDeps): void {
  const { call, id } = followed
  const patienceMs = completionWindowMs(call)
  const lost = letGo(call, deps) ? known(withEstimate(followed.lost(), call)) : followed.lost
  const attempt = freshAttempt(followed, deps)
  follow({ call, attempt, id, lost }, patienceMs, deps).catch((error: unknown) =>
    deps.log.error(
      { err: error, requestId: call.requestId },
      'a background response is not booked',
    ),
  )
}

/** Prompts up to this size are kept. */
const SMALL_BODY_BYTES = 65_536
const NOTHING = Buffer.alloc(0)

/** Lets go of a large prompt, which may hold pictures: a response may take hours, and thousands may be followed. A plugin that is
 *  told of the call's end may read its prompt then.
 *  @returns false if the prompt is kept */
function letGo(call: RelayCall, deps: FollowDeps): boolean {
  const isRead = call.observers || call.caches || deps.hooks('relay.answer').length > 0
  if (isRead || call.bytes.length <= SMALL_BODY_BYTES) return false
  call.body = pricedFields(call)
  call.bytes = NOTHING
  call.neutral = undefined
  call.request.body = undefined
  return true
}

/** Made here, so that it holds nothing but the usage. */
function known(usage: Usage): () => Usage {
  return () => usage
}

/** The usage of a call whose prompt can no longer be counted. */
function withEstimate(usage: Usage, { promptEstimate }: RelayCall): Usage {
  return usage.isEstimated ? { ...usage, input: promptEstimate } : usage
}

async function follow(
  { call, attempt, id, lost }: FollowedResponse,
  patienceMs: number,
  deps: FollowDeps,
): Promise<void> {
  const end = await outcomeOf(attempt, id, deps, {
    patienceMs,
    lost,
    model: call.requestedModel,
    countPrompt: () =>
      call.bytes === NOTHING ? call.promptEstimate : countPrompt(call, deps.settings),
  })
  await settleCall(call, { attempt, status: 200, ...end }, deps)
}

interface Following {
  patienceMs: number
  lost: () => Usage
  model: string
  countPrompt: () => number
}

/** Follows a response to its end: what it used, and by which rule it is charged. */
export async function outcomeOf(
  attempt: Attempt,
  id: string,
  { background }: Pick<ChatDeps, 'background'>,
  following: Following,
): Promise<Pick<CallOutcome, 'rule' | 'usage' | 'isFree' | 'tally'>> {
  const reported = background.await(id)
  try {
    const end = await endOf(attempt, id, reported, following.patienceMs)
    const read = background.reads.of(id)
    const { lost } = following
    if (!end) return { rule: 'background_lost', usage: withRead(lost(), read, lost) }
    const used = usedBy(end, following)
    return { rule: 'completed', ...used, usage: withRead(used.usage, read, lost) }
  } finally {
    background.forget(id)
  }
}

/** If the upstream tells no usage, as for a response that its client has cancelled or deleted, at least what the client
 *  has read of it is charged.
 *  @param lost the usage of the stream that the response was made with */
function withRead(usage: Usage, read: EarlyRead, lost: () => Usage): Usage {
  if (!usage.isEstimated || (read.output === 0 && !read.head)) return usage
  const before = Math.max(read.head ?? 0, read.isRest ? lost().output : 0)
  const output = before + read.output
  return output > usage.output ? { ...usage, output } : usage
}

type End = { body: JsonObject } | { usage: Usage }

function usedBy(
  end: End,
  { model, countPrompt: count }: Pick<Following, 'model' | 'countPrompt'>,
): Pick<CallOutcome, 'usage' | 'isFree' | 'tally'> {
  if ('usage' in end) return end
  const tally = new UsageTally(model, count)
  const isFree = end.body['status'] === 'failed'
  if (!isFree) for (const event of eventsOf(end.body)) tally.see(event)
  return { usage: tally.complete(), isFree, tally }
}

const eventsOf = codecs['openai-responses'].parseAnswer

/** The attempt with a new abort signal and drain: its client may have left, and its connection may have been closed. */
function freshAttempt(
  { call, attempt }: FollowedResponse,
  { settings }: Pick<FollowDeps, 'settings'>,
): Attempt {
  const abort = new AbortController()
  const { signal } = abort
  const { context } = attempt
  return {
    ...attempt,
    abort,
    drain: new Drain(call, abort, settings),
    context: {
      ...context,
      clientBody: call.body,
      signal,
      httpOptions: { ...context.httpOptions, signal },
    },
  }
}

/** Undefined if the response is gone and nobody reported its usage, or if it did not end in time. */
async function endOf(
  attempt: Attempt,
  id: string,
  reported: Promise<Usage>,
  patienceMs: number,
): Promise<End | undefined> {
  const giveUpAt = performance.now() + patienceMs
  const longestMs = patienceMs / LOOKS
  for (
    let pauseMs = FIRST_LOOK_MS;
    performance.now() < giveUpAt;
    pauseMs = Math.min(pauseMs * 1.5, longestMs)
  ) {
    const usage = await Promise.race([reported, wait(pauseMs, undefined)])
    if (usage) return { usage }
    const body = await look(attempt, id)
    if (body === 'gone') return await reportedMeanwhile(reported)
    if (body && !isPending(body)) return { body }
  }
  return undefined
}

/** Called when the response is gone: a client may have deleted it between the pause and the look. */
async function reportedMeanwhile(reported: Promise<Usage>): Promise<End | undefined> {
  const usage = await Promise.race([reported, Promise.resolve(undefined)])
  return usage && { usage }
}

/** Before a client deletes a response that has ended: reports what it used to the node that waits for it. */
export async function reportUsage(
  attempt: Attempt,
  id: string,
  { background }: Pick<ChatDeps, 'background'>,
): Promise<void> {
  const body = await look(attempt, id)
  if (!isObject(body) || body['background'] !== true || isPending(body)) return
  const isFailed = body['status'] === 'failed'
  const reported = isFailed ? undefined : eventsOf(body).find((event) => event.type === 'usage')
  if (reported) await background.announce(id, reported.usage)
  else if (isFailed) await background.announce(id, noUsage)
}

async function look(attempt: Attempt, id: string): Promise<JsonObject | 'gone' | undefined> {
  try {
    const response = await proxyResponse(attempt, { id, method: 'GET', suffix: '', query: {} })
    const { share } = attempt
    const body = parseLoosely(await readText(response, LARGEST_ANSWER_BYTES, { share }))
    return isObject(body) ? body : undefined
  } catch (error) {
    return isNotFound(error) ? 'gone' : undefined
  } finally {
    // The next look takes its room anew.
    attempt.share.close()
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof UpstreamError && error.failure.status === 404
}

export function isPending({ status }: JsonObject): boolean {
  return status === 'queued' || status === 'in_progress'
}
