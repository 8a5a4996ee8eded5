import type { FinishReason } from '../../contract/neutral.ts'

const READ: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries<FinishReason>({
    STOP: 'stop',
    MAX_TOKENS: 'length',
    SAFETY: 'filtered',
    RECITATION: 'filtered',
    LANGUAGE: 'filtered',
    BLOCKLIST: 'filtered',
    PROHIBITED_CONTENT: 'filtered',
    SPII: 'filtered',
    MODEL_ARMOR: 'filtered',
    ESCALATION: 'filtered',
    PUP_LIMITED_DISABLED: 'filtered',
    CONTINUATION: 'length',
    MALFORMED_FUNCTION_CALL: 'bad_call',
    UNEXPECTED_TOOL_CALL: 'bad_call',
    TOO_MANY_TOOL_CALLS: 'bad_call',
  }),
)

const WRITTEN: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  stop_sequence: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  filtered: 'SAFETY',
  paused: 'STOP',
  bad_call: 'MALFORMED_FUNCTION_CALL',
  other: 'OTHER',
}

/** STOP is also reported after tool calls, so it depends on whether there were any. */
export function readFinishReason(native: string, hasCalls: boolean): FinishReason {
  if (native.startsWith('IMAGE_')) return 'filtered'
  const reason = READ.get(native) ?? 'other'
  return reason === 'stop' && hasCalls ? 'tool_calls' : reason
}

export function writeFinishReason(reason: FinishReason): string {
  return WRITTEN[reason]
}
