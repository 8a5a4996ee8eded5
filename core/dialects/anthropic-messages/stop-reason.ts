import type { FinishReason } from '../../contract/neutral.ts'

const READ: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries<FinishReason>({
    end_turn: 'stop',
    stop_sequence: 'stop_sequence',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
    tool_use: 'tool_calls',
    refusal: 'filtered',
    pause_turn: 'paused',
  }),
)

const WRITTEN: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  filtered: 'refusal',
  paused: 'pause_turn',
  bad_call: 'end_turn',
  other: 'end_turn',
}

export function readStopReason(native: string): FinishReason {
  return READ.get(native) ?? 'other'
}

export function writeStopReason(reason: FinishReason): string {
  return WRITTEN[reason]
}

/** OpenAI's models refuse in a part of its own and then stop; here only the reason tells that the text is no answer. */
export function refusedReason(reason: FinishReason): FinishReason {
  return reason === 'stop' ? 'filtered' : reason
}
