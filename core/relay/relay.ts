// The path of one call: admit, price, reserve, then attempts until one answers; the reservation is settled or released exactly once.
import type { FastifyReply } from 'fastify'
import { isOfKey } from '../channels/keys/multi-key.ts'
import type { RoutedChannel } from '../channels/routing/routed-channel.ts'
import { limitStall } from '../net/clients/drained.ts'
import { whenClosed } from '../net/clients/when-closed.ts'
import { estimateBodyTokens } from '../billing/counting/estimate-tokens.ts'
import { boundChannel, checkModel, groupOf } from './intake/admit.ts'
import { callerOf } from './intake/key-check.ts'
import { ExtraHeaders } from './attempt/extra-headers.ts'
import { observe, callObservers } from './hooks/observation.ts'
import { runHooks } from './hooks/run-hooks.ts'
import { transformRequest } from './hooks/transform-request.ts'
import { answerFromCache } from './cache/answer-from-cache.ts'
import { chooserOf } from './attempt/choose-channel.ts'
import { RetryAfterWaits } from './attempt/retry-after-waits.ts'
import { LeftUnsent, openAttempt, type Attempt } from './attempt/attempt.ts'
import { chatAttempt } from './chat/chat-call.ts'
import type { JudgedFailure } from './failure/failures.ts'
import { judgeCall } from './failure/judge-call.ts'
import { operationAttempt } from './operations/operation-call.ts'
import { checkDrawing } from './charge/check-drawing.ts'
import { priceCall, reservationOf } from './charge/price-call.ts'
import { overHttp, type CallKind } from './call/call-kind.ts'
import {
  keyInUse,
  openCall,
  pricedCall,
  type AdmittedCall,
  type ReadCall,
  type RelayCall,
} from './call/relay-call.ts'
import type {
  AdmitDeps,
  CallDeps,
  HookDeps,
  SettleDeps,
  PriceDeps,
  RunDeps,
  SelectDeps,
} from './call/relay-deps.ts'
import { relayErrors } from './call/relay-errors.ts'
import { spentOf, tryChannel } from './attempt/tried-channels.ts'
import { sendFailed } from './chat/send-failed.ts'
import { settleCall, SettlementFailed } from './charge/settle-call.ts'
import { reportFailure } from './failure/report-failure.ts'
import { noUsage } from '../dialects/neutral/usage.ts'

/** How many keys of its channels a call tries in place of refused ones, beside its retries. */
const mostSpareKeys = 4

/** Runs a call of the request's `relayCaller` to its end; the reply is hijacked and fully answered.
 *  @throws errors caused by the caller, before anything was reserved */
export async function relay(
  input: ReadCall,
  reply: FastifyReply,
  deps: CallDeps,
  kind: CallKind = overHttp,
): Promise<void> {
  const call = await admitCall(input, reply, deps)
  await runCall(call, kind, deps)
  keepFromFastify(reply)
}

/** A client that has left got no answer from us, and must not get one from Fastify. */
export function keepFromFastify(reply: FastifyReply): void {
  if (!reply.sent) reply.hijack()
}

/** Reserves, tries channels, answers. A failure that another model may avoid is returned instead of sent, unless this
 *  is the last model to try.
 *  @throws quota and price errors, before anything was reserved; AppError of a hook that refuses a cached answer */
export async function runCall(
  admitted: AdmittedCall,
  kind: CallKind,
  deps: RunDeps,
  { isLast = true } = {},
): Promise<'answered' | 'failed'> {
  const call = await reserved(admitted, kind, deps)
  const { reservation } = call
  let failed: Awaited<ReturnType<typeof tryChannels>>
  try {
    if (deps.responseCaches().length > 0 && (await answerFromCache(call, deps))) return 'answered'
    failed = await tryChannels(call, deps)
  } catch (error) {
    if (!(error instanceof SettlementFailed)) await deps.ledger.release(reservation)
    throw error
  }
  if (!failed) return 'answered'
  const { failure } = failed
  if (!(failure?.cause instanceof SettlementFailed)) await deps.ledger.release(reservation)
  const mayPass = !isLast && !call.client.isGone && !call.reply.raw.headersSent
  if (mayPass && (failure === undefined || failure.isRetryable)) return 'failed'
  sendFailure(call, failure, deps)
  return 'answered'
}

/** Group, model and channel: whether this key may make this call at all. */
export async function admitCall(
  input: ReadCall,
  reply: FastifyReply,
  deps: AdmitDeps & HookDeps,
): Promise<AdmittedCall> {
  const caller = callerOf(reply.request)
  const group = groupOf(caller.identity, deps, input.requestedModel)
  const call = openCall(input, caller, group, reply)
  deps.traces?.admitted(call)
  checkModel(input, caller, group, deps)
  if (input.fault) throw input.fault
  await runHooks('relay.admit', call, deps)
  await transformRequest(call, deps)
  checkDrawing(call, deps)
  observe(call, deps)
  return call
}

/** Prices the call and reserves once for all attempts. */
async function reserved(call: AdmittedCall, kind: CallKind, deps: PriceDeps): Promise<RelayCall> {
  const { identity } = call
  // A task has no prompt tokens, and its body may hold whole pictures.
  const promptEstimate = kind.kind === 'task' ? 0 : estimateBodyTokens(call.body ?? {})
  const price = priceCall(call, kind, promptEstimate + addedTokens(call, deps), deps)
  const reserved = reservationOf(call, price, deps)
  const reservation = await deps.ledger.reserve({
    requestId: call.requestId,
    userId: identity.userId,
    tokenId: identity.tokenId,
    isTokenLimited: !identity.isUnlimited,
    units: reserved.units,
  })
  return pricedCall(call, kind, price, { promptEstimate, reserved, reservation })
}

/** What the chosen channel may add to the prompt. */
function addedTokens({ operation, group, requestedModel }: AdmittedCall, deps: PriceDeps): number {
  return operation === 'chat' ? deps.index().instructionTokens(group, requestedModel) : 0
}

/** Tries channels until one answers. Undefined if one did, else the failure of the last attempt, if there was one; the
 *  reservation is still open. */
async function tryChannels(
  call: RelayCall,
  deps: RunDeps,
): Promise<{ failure: JudgedFailure | undefined } | undefined> {
  const isRetryable = call.kind !== 'task' || call.step.isRetryable
  const mayMove = call.pinnedChannel === undefined && !call.bound && isRetryable
  const last = mayMove ? deps.options.get<number>('RetryTimes') : 0
  const deadline =
    deps.settings.relayTimeoutMs > 0 ? performance.now() + deps.settings.relayTimeoutMs : Infinity
  const waits = new RetryAfterWaits()
  let failure: JudgedFailure | undefined
  let spareKeys = mostSpareKeys
  let again: RoutedChannel | undefined
  for (let number = 0; number <= last; number += again ? 0 : 1) {
    const channel = again ?? nextChannel(call, number, deps)
    if (!channel) break
    if (!(await waits.waitFor(channel))) break
    call.tried.push(tryChannel(channel))
    const outcome = await attempted(call, channel, deps, deadline)
    if (outcome === 'unsent') {
      call.tried.pop()
      if (failure) break
      return await endUnsent(call, deps)
    }
    failure = outcome
    if (!failure) {
      deps.affinity.keep(call, channel.id)
      return undefined
    }
    waits.note(channel, failure, call.triedKeys)
    noteRefused(call, failure)
    const mayRetry =
      failure.isRetryable &&
      !call.client.isGone &&
      !call.reply.raw.headersSent &&
      performance.now() < deadline
    if (!mayRetry) break
    again = spareKeys > 0 ? withSpareKey(call, channel, failure, deps) : undefined
    if (again) spareKeys -= 1
  }
  return { failure }
}

function noteRefused(call: RelayCall, { failureClass }: JudgedFailure): void {
  const key = keyInUse(call)
  if (key !== undefined && isOfKey(failureClass)) (call.refusedKeys ??= new Set()).add(key)
}

/** The channel as it stands now, if the provider refused one of its keys and another one is untried. That is no retry: the channel itself may be well. */
function withSpareKey(
  { bound, triedKeys }: RelayCall,
  { id, keyViews }: RoutedChannel,
  { failureClass }: JudgedFailure,
  deps: SelectDeps,
): RoutedChannel | undefined {
  if (bound || triedKeys === undefined || keyViews.length === 1 || !isOfKey(failureClass))
    return undefined
  // The refusal may have taken its time, in which an admin took out keys or switched the channel off.
  const current = deps.index().find(id)
  return current?.isEnabled && current.keyViews.some(({ key }) => !triedKeys.has(key))
    ? current
    : undefined
}

function nextChannel(call: RelayCall, number: number, deps: SelectDeps): RoutedChannel | undefined {
  if (call.pinnedChannel !== undefined) {
    // The channel may have been disabled since the call was admitted.
    const pinned = deps.index().find(call.pinnedChannel)
    return pinned?.isEnabled ? pinned : undefined
  }
  const bound = boundChannel(call, deps)
  if (bound !== 'free') return bound
  call.bound = undefined
  const mayPrefer = number === 0 && deps.options.get<boolean>('ChannelAffinityEnabled')
  const picked = deps.index().select({
    group: call.group,
    model: call.requestedModel,
    attempt: number,
    tried: call.tried.map(({ channel }) => channel.id),
    spent: spentOf(call.tried, call.refusedKeys),
    promptTokens: call.promptEstimate,
    choose: deps.routingPolicies().length > 0 ? chooserOf(call, deps) : undefined,
    prefer: mayPrefer ? () => deps.affinity.preferred(call) : undefined,
  })
  return picked === 'none' ? undefined : picked
}

/** The client left before any upstream was asked: writes a log row that says so, and charges nothing. */
async function endUnsent(call: RelayCall, deps: SettleDeps): Promise<undefined> {
  const rule = 'client_left_unsent'
  const outcome = { attempt: undefined, usage: noUsage, rule, status: 499, isFree: true }
  await settleCall(call, outcome, deps)
}

/** Undefined if the attempt answered the call. */
async function attempted(
  call: RelayCall,
  channel: RoutedChannel,
  deps: RunDeps,
  deadlineMs: number,
): Promise<JudgedFailure | 'unsent' | undefined> {
  let timer: NodeJS.Timeout | undefined
  try {
    const attempt = openAttempt(call, channel, deps)
    if (deadlineMs !== Infinity)
      timer = setTimeout(
        () => attempt.abort.abort(relayErrors.tooSlow()),
        deadlineMs - performance.now(),
      )
    if (deps.hooks('relay.send').length > 0) await askBeforeSending(call, attempt, deps)
    // The client of a session is its socket, which the session itself watches.
    if (call.client.isGone && call.kind !== 'session') return 'unsent'
    if (call.kind === 'http') await answered(call, attempt, deps)
    else await call.step.attempt(call, attempt).finally(() => attempt.share.close())
    return undefined
  } catch (error) {
    if (error instanceof LeftUnsent) return 'unsent'
    const retryStatusCodes = deps.options.get<string>('AutomaticRetryStatusCodes')
    const failure = judgeCall(error, call, channel, retryStatusCodes)
    reportFailure(call, channel, failure, deps)
    return failure
  } finally {
    clearTimeout(timer)
  }
}

async function askBeforeSending(call: RelayCall, attempt: Attempt, deps: HookDeps): Promise<void> {
  const headers = new ExtraHeaders()
  const setHeader = (name: string, value: string) => headers.set(name, value)
  await runHooks('relay.send', call, deps, { channelId: attempt.channel.id, setHeader })
  if (!headers.isEmpty) attempt.extraHeaders = headers
}

/** Answers a call over HTTP. Its client may leave; if the drain's bounds are reached before anything was delivered, nothing is charged. */
async function answered(call: RelayCall, attempt: Attempt, deps: RunDeps): Promise<void> {
  const { drain, share } = attempt
  const { largeBody } = call.request
  // Held even if the client leaves early: the body stays in memory until the upstream has been read to the end.
  largeBody?.hold()
  drain.start()
  deps.openCalls.add(drain)
  try {
    if (call.operation === 'chat') await chatAttempt(call, attempt, deps)
    else await operationAttempt(call, attempt, deps)
  } catch (error) {
    if (!drain.isOver || error instanceof SettlementFailed || error instanceof LeftUnsent)
      throw error
    const outcome = { attempt, usage: noUsage, rule: 'client_left_counted', status: 499 }
    await settleCall(call, { ...outcome, isFree: true }, deps)
  } finally {
    drain.stop()
    deps.openCalls.remove(drain)
    largeBody?.close()
    const { raw } = call.reply
    // The client has not read the rest yet; it gets a time limit for it.
    if (raw.writableLength > 0) {
      limitStall(raw, deps.settings.streamingTimeoutMs)
      whenClosed(raw, () => share.close())
    } else share.close()
  }
}

function sendFailure(
  call: RelayCall,
  failure: JudgedFailure | undefined,
  deps: HookDeps & Pick<SettleDeps, 'events' | 'traces'>,
): void {
  if (!failure) throw relayErrors.noChannel({ model: call.requestedModel, group: call.group })
  if (deps.hooks('relay.answer').length > 0)
    void runHooks('relay.answer', call, deps, { status: failure.clientError.status })
  const { status, code, message } = failure.clientError
  callObservers(call, { status, channelId: undefined, error: { code, message } }, deps)
  deps.events.emit('relay.refused', { status })
  deps.traces?.refused(call.request, status, failure.failureClass)
  sendFailed(call, failure.clientError, failure.retryAfterSeconds)
}
