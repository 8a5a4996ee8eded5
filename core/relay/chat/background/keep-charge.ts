// The facts about a call whose response its upstream makes in the background. With them, any process can follow and
// charge the response.
import type { JsonObject } from '../../../contract/json.ts'
import type { PriceSnapshot, TokenIdentity } from '../../../contract/services.ts'
import type { Attempt } from '../../attempt/attempt.ts'
import type { RelayCall } from '../../call/relay-call.ts'
import type { ChatDeps } from '../../call/relay-deps.ts'
import type { StoredResponse } from '../../conversation/stored-responses.ts'
import { completionWindowMs } from './completion-window.ts'

export type KeepDeps = Pick<ChatDeps, 'keptCharges' | 'responses'>

/** Stored as JSON. */
export interface KeptCall {
  id: string
  stored: StoredResponse
  identity: Pick<TokenIdentity, 'userId' | 'username' | 'tokenId' | 'tokenName'>
  requestedModel: string
  upstreamModel: string
  group: string
  isStream: boolean
  /** The fields of the body that decide the prices of tools. */
  tools: JsonObject
  price: PriceSnapshot
  reserved: RelayCall['reserved']
  notes: JsonObject
  dropped: string[]
  promptEstimate: number
  /** How long the response is followed; rows of older versions lack it. */
  patienceMs?: number
  startedAtMs: number
}

/** Resolves when the charge is sure even if this process ends. */
export async function keepCharge(
  call: RelayCall,
  attempt: Attempt,
  id: string,
  { keptCharges, responses }: KeepDeps,
): Promise<void> {
  const { userId, username, tokenId, tokenName } = call.identity
  const stored = await responses.find(userId, id)
  if (!stored || stored === 'foreign') return
  const kept: KeptCall = {
    id,
    stored,
    identity: { userId, username, tokenId, tokenName },
    requestedModel: call.requestedModel,
    upstreamModel: attempt.upstreamModel,
    group: call.group,
    isStream: call.isStream,
    tools: pricedFields(call),
    price: call.price,
    reserved: call.reserved,
    notes: { ...call.notes },
    dropped: [...call.dropped],
    promptEstimate: call.promptEstimate,
    patienceMs: completionWindowMs(call),
    startedAtMs: Date.now() - (performance.now() - call.startedAtMs),
  }
  await keptCharges.keep(call.requestId, JSON.stringify(kept))
}

/** The fields of a body that decide the prices of tools. */
export function pricedFields({ body }: Pick<RelayCall, 'body'>): JsonObject {
  const { tools, web_search_options } = body ?? {}
  return { tools: withoutTexts(tools), web_search_options }
}

/** The client's own functions have no price, and their descriptions may be long. */
function withoutTexts(tools: unknown): unknown {
  return Array.isArray(tools)
    ? tools.filter((tool: JsonObject | null) => tool?.['type'] !== 'function')
    : undefined
}
