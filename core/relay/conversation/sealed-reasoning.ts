import { LRUCache } from 'lru-cache'
import type { ChatEvent, OpaqueState, Part } from '../../contract/neutral.ts'
import { copiedText } from '../../wire/own-text.ts'

export interface KeptReasoning {
  /** The reasoning before the call, including sealed parts. */
  reasoning?: Part[]
  /** The call's own signature. */
  state?: OpaqueState
}

const ONE_HOUR_MS = 3_600_000
/** The bounds for all users together. A provider lets a model think for hundreds of thousands of characters. */
const MOST_CALLS = 20_000
const CHARS_KEPT = 32 * 1_048_576
const LONGEST_ENTRY = 1_048_576

/** Keeps sealed reasoning by user and call id, for clients whose dialect cannot carry it and so never send it back. By
 *  user, because calls of the playground have no token, and because upstreams choose the ids: some count from 0 each
 *  time. */
export class SealedReasoning {
  readonly #known = new LRUCache<string, KeptReasoning>({
    max: MOST_CALLS,
    maxSize: CHARS_KEPT,
    maxEntrySize: LONGEST_ENTRY,
    sizeCalculation: sizeOf,
    ttl: ONE_HOUR_MS,
  })

  recall(userId: number, callId: string): KeptReasoning | undefined {
    return this.#known.get(`${userId}:${callId}`)
  }

  /** Watches one answer: pass each of its events to the returned function. */
  watch(userId: number): (event: ChatEvent) => void {
    let reasoning: Part[] = []
    let text = ''
    return (event) => {
      if (event.type === 'reasoning') text += event.delta
      else if (event.type === 'reasoning_state') {
        reasoning.push({
          kind: 'reasoning',
          text: copiedText(text),
          state: event.state,
          ...(event.redacted ? { redacted: true } : {}),
        })
        text = ''
      } else if (event.type === 'tool_start' && (event.state || reasoning.length > 0)) {
        this.#known.set(`${userId}:${event.id}`, {
          ...(reasoning.length > 0 ? { reasoning } : {}),
          ...(event.state ? { state: event.state } : {}),
        })
        reasoning = [...reasoning]
      }
    }
  }
}

/** In characters. The reasoning of an answer counts for each of its calls, although they share it. */
function sizeOf({ reasoning = [], state }: KeptReasoning): number {
  let chars = 1 + (state?.data.length ?? 0)
  for (const part of reasoning)
    if (part.kind === 'reasoning') chars += part.text.length + (part.state?.data.length ?? 0)
  return chars
}
