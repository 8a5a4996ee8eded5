// Follows and charges background responses whose process has ended, by the facts that were stored about their calls.
import { EventEmitter } from 'node:events'
import type { Job } from '../../../contract/plugin.ts'
import type { OpenResponseRow } from '../../../billing/ledger/open-responses-sql.ts'
import type { RoutedChannel } from '../../../channels/routing/routed-channel.ts'
import { noUsage } from '../../../dialects/neutral/usage.ts'
import { openAttempt, type Attempt } from '../../attempt/attempt.ts'
import { tryChannel } from '../../attempt/tried-channels.ts'
import { newClientState } from '../../call/client-state.ts'
import type { AttemptDeps, ChatDeps, SelectDeps } from '../../call/relay-deps.ts'
import { chargeOf, type CallOutcome, type ChargedCall } from '../../charge/settle-call.ts'
import { outcomeOf } from './background-answer.ts'
import { completionWindowMs } from './completion-window.ts'
import type { KeptCall } from './keep-charge.ts'

const LOOK_EVERY_MS = 5_000

type LeftDeps = AttemptDeps & ChatDeps & Pick<SelectDeps, 'index'>

export function leftResponsesJob(deps: LeftDeps): Job {
  return {
    id: 'left-responses',
    everyMs: LOOK_EVERY_MS,
    isLeaderOnly: true,
    run: async () => {
      for (const row of await deps.keptCharges.claim())
        settleLeft(row, deps).catch((err: unknown) =>
          deps.log.error({ err, requestId: row.requestId }, 'a background response is not booked'),
        )
    },
  }
}

async function settleLeft({ requestId, facts }: OpenResponseRow, deps: LeftDeps): Promise<void> {
  const kept = JSON.parse(facts) as KeptCall
  const channel = deps.index().find(kept.stored.channelId)
  const end = await endOf(requestId, kept, channel, deps)
  const call = chargedCall(requestId, kept, channel)
  const { outcome, receipt, log } = chargeOf(call, end, deps)
  const { userId, tokenId } = kept.identity
  const channelId = kept.stored.channelId
  const units = receipt.total
  await deps.keptCharges.charge({ requestId, userId, tokenId, channelId, units, log })
  deps.events.emit('relay.settled', {
    requestId,
    userId,
    tokenId,
    channelId,
    model: kept.requestedModel,
    group: kept.group,
    units,
    promptTokens: outcome.usage.input,
    completionTokens: outcome.usage.output,
    status: outcome.status,
    durationMs: Math.round(performance.now() - call.startedAtMs),
    firstByteMs: undefined,
  })
}

/** If the channel is gone or no longer has the key, the response cannot be read. Its prompt is charged, because the
 *  upstream has read it. */
async function endOf(
  requestId: string,
  kept: KeptCall,
  channel: RoutedChannel | undefined,
  deps: LeftDeps,
): Promise<CallOutcome> {
  const input = kept.promptEstimate
  const lost = () => ({ ...noUsage, input, isEstimated: true })
  const attempt = channel && lookAgain(requestId, kept, channel, deps)
  const outcome = attempt
    ? await outcomeOf(attempt, kept.id, deps, {
        patienceMs: kept.patienceMs ?? completionWindowMs({ body: undefined }),
        lost,
        model: kept.requestedModel,
        countPrompt: () => input,
      })
    : { rule: 'background_lost', usage: lost() }
  const served = channel && { channel, upstreamModel: kept.upstreamModel }
  return { attempt: served, status: 200, ...outcome }
}

function lookAgain(
  requestId: string,
  { stored, identity }: KeptCall,
  channel: RoutedChannel,
  deps: LeftDeps,
): Attempt | undefined {
  const call = {
    operation: 'chat' as const,
    dialect: 'openai-responses' as const,
    requestedModel: stored.model,
    isStream: false,
    body: undefined,
    bound: stored,
    identity,
    triedKeys: undefined,
    request: { headers: {}, query: {} },
    reply: { raw: Object.assign(new EventEmitter(), { destroyed: false }) },
    requestId,
    client: newClientState(),
    notes: {},
    dropped: new Set<string>(),
  }
  try {
    return openAttempt(call, channel, deps)
  } catch (err) {
    deps.log.warn({ err, requestId }, 'a background response cannot be looked at')
    return undefined
  }
}

function chargedCall(
  requestId: string,
  kept: KeptCall,
  channel: RoutedChannel | undefined,
): ChargedCall {
  const { identity, requestedModel, group, isStream, price, reserved } = kept
  // Another process noted the time; the clock may have been set back since.
  const startedAtMs = performance.now() - Math.max(0, Date.now() - kept.startedAtMs)
  return {
    requestId,
    identity,
    requestedModel,
    group,
    isStream,
    price,
    reserved,
    operation: 'chat',
    dialect: 'openai-responses',
    body: kept.tools,
    form: undefined,
    startedAtMs,
    client: { firstByteAtMs: undefined },
    tried: channel ? [{ ...tryChannel(channel), startedAtMs }] : [],
    notes: kept.notes,
    dropped: new Set(kept.dropped),
  }
}
