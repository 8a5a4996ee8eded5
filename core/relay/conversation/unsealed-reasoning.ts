import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ToolCallSaid } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { copiedText } from '../../wire/own-text.ts'
import { boundedJson } from '../../wire/bounded-json.ts'

const ONE_HOUR_MS = 3_600_000
/** The bounds for all users together. */
const MOST_CALLS = 20_000
const CHARS_KEPT = 16 * 1_048_576
const LONGEST_THOUGHT = 524_288
/** Longer arguments are not followed: a model that writes whole files has said what it thought. */
const LONGEST_ARGUMENTS = 262_144

/** Keeps what a model thought before a tool call, without a seal, for upstreams that expect it back with the call's result:
 *  clients may not have been shown it, and those of OpenAI do not know the field. By user and by all that the call says,
 *  because some upstreams number their calls anew in each conversation. */
export class UnsealedReasoning {
  readonly #known = new LRUCache<string, string>({
    max: MOST_CALLS,
    maxSize: CHARS_KEPT,
    maxEntrySize: LONGEST_THOUGHT,
    sizeCalculation: (thought) => thought.length + 1,
    ttl: ONE_HOUR_MS,
  })

  recall(userId: number, call: ToolCallSaid): string | undefined {
    const isKept = this.#known.size > 0 && call.arguments.length <= LONGEST_ARGUMENTS
    return isKept ? this.#known.get(keyOf(userId, call)) : undefined
  }

  /** Watches one answer: pass each of its events to the returned function. Kept is what was thought before its first call. */
  watch(userId: number): (event: ChatEvent) => void {
    let thought = ''
    let call: (ToolCallSaid & { index: number }) | undefined
    let isOver = false
    return (event) => {
      if (isOver || ('choice' in event && event.choice)) return
      if (event.type === 'reasoning' && call === undefined) {
        thought += event.delta
        isOver = thought.length > LONGEST_THOUGHT
      } else if (event.type === 'tool_start' && call === undefined) {
        isOver = thought === ''
        call = { index: event.index, id: event.id, name: event.name, arguments: '' }
      } else if (event.type === 'tool_args' && event.index === call?.index) {
        call.arguments += event.delta
        isOver = call.arguments.length > LONGEST_ARGUMENTS
      } else if (event.type === 'tool_end' && call && event.index === call.index) {
        isOver = true
        this.#known.set(keyOf(userId, call), copiedText(thought))
      }
    }
  }
}

function keyOf(userId: number, call: ToolCallSaid): string {
  return hash('sha256', `${userId}:${call.id}:${call.name}:${sameText(call.arguments)}`, 'base64')
}

/** Clients that read the arguments write them with other spaces. */
function sameText(given: string): string {
  if (given === '') return '{}'
  try {
    return JSON.stringify(boundedJson(given))
  } catch {
    return given
  }
}
