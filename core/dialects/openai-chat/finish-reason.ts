import type { FinishReason } from '../../contract/neutral.ts'

const OFFICIAL = new Set(['stop', 'length', 'tool_calls', 'content_filter', 'function_call'])

const READ: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries<FinishReason>({
    stop: 'stop',
    length: 'length',
    tool_calls: 'tool_calls',
    function_call: 'tool_calls',
    content_filter: 'filtered',
    // Compatible servers that pass on the reasons of another dialect.
    eos: 'stop',
    end_turn: 'stop',
    stop_sequence: 'stop_sequence',
    max_tokens: 'length',
    insufficient_system_resource: 'length',
    tool_use: 'tool_calls',
    sensitive: 'filtered',
    refusal: 'filtered',
  }),
)

const WRITTEN: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  filtered: 'content_filter',
  paused: 'stop',
  bad_call: 'stop',
  other: 'stop',
}

export function readFinishReason(native: string): FinishReason {
  return READ.get(native) ?? 'stop'
}

export function writeFinishReason(reason: FinishReason): string {
  return WRITTEN[reason]
}

/** The reason for the client: an official one unchanged, any other by its meaning. */
export function officialFinishReason(native: string): string {
  return OFFICIAL.has(native) ? native : writeFinishReason(readFinishReason(native))
}
