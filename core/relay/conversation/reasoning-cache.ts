import { LRUCache } from 'lru-cache'
import type { ChatEvent, OpaqueState, Part } from '../../contract/neutral.ts'

export interface CachedReasoning {
  /** The reasoning before the call, including sealed parts. */
  reasoning?: Part[]
  /** The call's own signature. */
  state?: OpaqueState
}

const ONE_HOUR_MS = 3_600_000

/** Keeps sealed reasoning by user and call id, for clients whose dialect cannot carry it and so never send it back. By
 *  user, because calls of the playground have no token, and because upstreams choose the ids: some count from 0 each
 *  time. */
export class ReasoningCache {
  readonly #known = new LRUCache<string, CachedReasoning>({ max: 20_000, ttl: ONE_HOUR_MS })

  recall(userId: number, callId: string): CachedReasoning | undefined {
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
          text,
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
