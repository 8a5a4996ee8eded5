import {
  type ChatEvent,
  type FinishReason,
  isObject,
  type JsonObject,
  type Usage,
  UpstreamError,
} from 'tollgate/contract'
import {
  closing,
  newCallId,
  opening,
  reasoningEvents,
  textEvents,
  tokens,
  usageOf,
  wholeCall,
} from 'tollgate/adapter-kit'
import { faultIn, unreadable } from './failures.ts'

/** @throws UpstreamError for an error inside a 200 */
export function readAnswer(body: unknown): ChatEvent[] {
  const fault = faultIn(200, body)
  if (fault) throw new UpstreamError(fault)
  if (!isObject(body) || typeof body['said'] !== 'string') throw new UpstreamError(unreadable)
  const wants = Array.isArray(body['wants']) ? body['wants'].filter(isObject) : []
  return [
    startOf(body),
    ...reasoningEvents(body['thought']),
    ...textEvents(body['said']),
    ...wants.flatMap((want, index) => wantEvents(want, index)),
    ...endOf(body),
  ]
}

export function startOf({ talk }: JsonObject): ChatEvent {
  return opening(talk)
}

/** A tool call that came whole; `index` counts those of the answer. */
export function wantEvents(want: JsonObject, index: number): ChatEvent[] {
  const text = (key: string) => (typeof want[key] === 'string' ? want[key] : '')
  return wholeCall(index, {
    id: text('ref') || newCallId(),
    name: text('trick'),
    arguments: text('with'),
  })
}

const reasons: Readonly<Record<string, FinishReason>> = {
  end: 'stop',
  hush: 'stop_sequence',
  most: 'length',
  wants: 'tool_calls',
  rude: 'filtered',
}

export function endOf({ why, meter }: JsonObject): ChatEvent[] {
  return closing(reasons[String(why)] ?? 'other', usageIn(meter))
}

/** `heard` leaves out what was heard before, `spoken` holds the thoughts. */
function usageIn(meter: unknown): Usage | undefined {
  if (!isObject(meter)) return undefined
  const cacheRead = tokens(meter['heard_again'])
  return usageOf({
    input: tokens(meter['heard']) + cacheRead,
    cacheRead,
    output: tokens(meter['spoken']),
    reasoning: tokens(meter['thought']),
  })
}
