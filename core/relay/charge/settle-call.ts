import { logType } from '../../contract/constants.ts'
import type { Usage } from '../../contract/neutral.ts'
import type { LogRow, PriceSnapshot, Receipt } from '../../contract/services.ts'
import { consumeText } from '../../billing/consume-text.ts'
import { foldModelName } from '../../billing/prices/price-map.ts'
import { consumeDetails } from '../../logs/log-details.ts'
import { callObservers } from '../hooks/observation.ts'
import { runHooks } from '../hooks/run-hooks.ts'
import type { Attempt } from '../attempt/attempt.ts'
import type { RoutedChannel } from '../../channels/routing/routed-channel.ts'
import { callColumns, type CallOwner } from './call-columns.ts'
import { keepAnswer } from '../hooks/keep-answer.ts'
import type { ClientState } from '../call/client-state.ts'
import type { RelayCall } from '../call/relay-call.ts'
import type { SettleDeps } from '../call/relay-deps.ts'
import { withSvgPrice } from './svg-price.ts'
import { withToolPriceNames } from './tool-price-names.ts'
import { triedFacts } from '../attempt/tried-channels.ts'

/** The channel of an answer that came from a response cache. */
const nowhere = Object.freeze({ id: 0 })

export interface CallOutcome {
  /** Undefined for an answer from a response cache. */
  attempt: Pick<Attempt, 'channel' | 'upstreamModel'> | undefined
  usage: Usage
  /** How the answer ended; the rule on the receipt. */
  rule: string
  /** Status for the log and the hooks; 499 when the client left. */
  status: number
  /** True if nothing was delivered, so nothing is charged. */
  isFree?: boolean
  tally?: { nativeFinish: string | undefined }
  /** Replaces the call's own price, for instance with the number of images that were really made. */
  price?: PriceSnapshot
  details?: readonly string[]
}

/** The parts of a call that appear on its receipt and in its log row. */
export interface ChargedCall
  extends CallOwner,
    Pick<
      RelayCall,
      | 'operation'
      | 'dialect'
      | 'isStream'
      | 'body'
      | 'form'
      | 'price'
      | 'reserved'
      | 'tried'
      | 'notes'
      | 'dropped'
    > {
  readonly client: Pick<ClientState, 'firstByteAtMs'>
}

type CallEnd = Pick<CallOutcome, 'rule' | 'status'>

const completed: CallEnd = Object.freeze({ rule: 'completed', status: 200 })
const drained: CallEnd = Object.freeze({ rule: 'client_left_drained', status: 499 })

/** How an answer has ended that came whole: if its client left before, it was read on for its usage. */
export function endOfWhole({ isGone }: Pick<ClientState, 'isGone'>): CallEnd {
  return isGone ? drained : completed
}

/** The charge could not be written. The reservation is closed nevertheless, and no other channel is tried. */
export class SettlementFailed extends Error {
  constructor(cause: unknown) {
    super('The charge of a call could not be written', { cause })
    this.name = 'SettlementFailed'
  }
}

/** Writes the receipt and settles the reservation with its log row; resolves when committed, under strict durability.
 *  @throws SettlementFailed */
export async function settleCall(
  call: RelayCall,
  ended: CallOutcome,
  deps: SettleDeps,
): Promise<void> {
  const { outcome, receipt, log } = chargeOf(call, ended, deps)
  const channelId = channelOf(outcome).id
  if (call.isOpenEnded && !outcome.isFree && outcome.attempt) {
    deps.recentCosts.add(call.identity.userId, call.requestedModel, receipt.total)
  }
  const settlingAtMs = deps.traces && performance.now()
  const settled = deps.ledger.settle(call.reservation, { units: receipt.total, channelId, log })
  if (deps.settings.isStrict)
    await settled.catch((error: unknown) => {
      throw new SettlementFailed(error)
    })
  else
    settled.catch((error: unknown) =>
      deps.log.error({ err: error, requestId: call.requestId }, 'a settlement failed'),
    )
  announceSettled(call, outcome, receipt, deps, deps.settings.isStrict ? settlingAtMs : undefined)
  keepAnswer(call, outcome, deps)
}

/** The receipt of a call and its log row, if rows are written. */
export function chargeOf(
  call: ChargedCall,
  ended: CallOutcome,
  { pricing, options }: Pick<SettleDeps, 'pricing' | 'options'>,
): { outcome: CallOutcome; receipt: Receipt; log: LogRow | undefined } {
  const upstreamModel = upstreamModelOf(call, ended)
  const usage = withToolPriceNames(ended.usage, call, upstreamModel)
  const outcome = usage === ended.usage ? ended : { ...ended, usage }
  const price = withSvgPrice(outcome.price ?? call.price, usage, call, { upstreamModel, pricing })
  const receipt: Receipt = outcome.isFree
    ? { lines: [], total: 0, rule: outcome.rule }
    : pricing.receipt(price, outcome.usage, outcome.rule)
  const isLogged = options.get<boolean>('LogConsumeEnabled')
  const log = isLogged ? consumeRow(call, outcome, price, receipt) : undefined
  return { outcome, receipt, log }
}

function channelOf({ attempt }: CallOutcome): Pick<RoutedChannel, 'id'> {
  return attempt?.channel ?? nowhere
}

function upstreamModelOf({ requestedModel }: ChargedCall, { attempt }: CallOutcome): string {
  return attempt?.upstreamModel ?? requestedModel
}

/** The event, the trace and the hooks that follow a settlement.
 *  @param settlingAtMs when it began, where it was waited for */
export function announceSettled(
  call: RelayCall,
  outcome: CallOutcome,
  receipt: Receipt,
  deps: SettleDeps,
  settlingAtMs?: number,
): void {
  const { identity, client } = call
  deps.events.emit('relay.settled', {
    requestId: call.requestId,
    userId: identity.userId,
    tokenId: identity.tokenId,
    channelId: channelOf(outcome).id,
    model: call.requestedModel,
    group: call.group,
    units: receipt.total,
    promptTokens: outcome.usage.input,
    completionTokens: outcome.usage.output,
    status: outcome.status,
    durationMs: Math.round(performance.now() - call.startedAtMs),
    firstByteMs: firstByteMs(client, call),
  })
  const { attempt, usage, rule, status } = outcome
  const channelId = attempt?.channel.id
  deps.traces?.settled(call, { attempt, usage, rule, status, units: receipt.total, settlingAtMs })
  callObservers(call, { status, channelId, error: undefined }, deps)
  if (deps.hooks('relay.answer').length > 0) {
    void runHooks('relay.answer', call, deps, {
      status: outcome.status,
      ...(channelId === undefined ? {} : { channelId }),
    })
  }
}

function firstByteMs(
  { firstByteAtMs }: ChargedCall['client'],
  { startedAtMs }: ChargedCall,
): number | undefined {
  return firstByteAtMs === undefined ? undefined : firstByteAtMs - startedAtMs
}

/** The log row of a call that was charged. */
export function consumeRow(
  call: ChargedCall,
  outcome: CallOutcome,
  price: PriceSnapshot,
  receipt: Receipt,
): LogRow {
  const { client } = call
  const { usage } = outcome
  const upstreamModel = upstreamModelOf(call, outcome)
  const model = foldModelName(call.requestedModel)
  return {
    ...callColumns(call, channelOf(outcome)),
    created_at: Math.floor(Date.now() / 1000),
    type: logType.consume,
    content: consumeText(price, {
      ...(receipt.step ? { step: receipt.step } : {}),
      model: call.requestedModel,
      usage,
      ...(outcome.details ? { details: outcome.details } : {}),
    }),
    model_name: model,
    quota: receipt.total,
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    is_stream: call.isStream,
    other: consumeDetails({
      price,
      usage,
      receipt,
      reserved: call.reserved,
      firstByteMs: firstByteMs(client, call),
      tried: triedFacts(call.tried, outcome.status),
      upstreamModel: upstreamModel === call.requestedModel ? undefined : upstreamModel,
      isClaude: call.dialect === 'anthropic-messages',
      isRealtime: call.operation === 'realtime',
      droppedParams: [...call.dropped],
      notes: {
        ...call.notes,
        ...(outcome.status === 499 ? { status: 499 } : {}),
        ...(outcome.tally?.nativeFinish ? { finish_reason: outcome.tally.nativeFinish } : {}),
      },
    }),
  }
}
