// Several servers, most of them in front of Claude, send no arguments for a call that has none. OpenAI sends an empty object, and clients
// parse what they get (github.com/vercel/ai, issue 6687; github.com/openai/openai-agents-js, issue 664).
import { isObject, objectsOf, type JsonObject } from '../../contract/json.ts'

const NONE = '{}'

/** Calls of a stream that have had no arguments so far. */
export class EmptyArguments {
  /** Indexes of calls, by choice. */
  readonly #bare = new Map<number, Set<number>>()

  see(choice: number, index: number, { function: target }: JsonObject, isFirst: boolean): void {
    if (!isObject(target)) return
    if (target.arguments !== undefined && target.arguments !== '') {
      this.#bare.get(choice)?.delete(index)
    } else if (isFirst) {
      this.#bare.set(choice, (this.#bare.get(choice) ?? new Set()).add(index))
    }
  }

  /** The last delta of a choice, with the arguments that are missing. */
  close(choice: number, delta: JsonObject): JsonObject {
    const bare = this.#bare.get(choice)
    if (!bare?.size) return delta
    this.#bare.delete(choice)
    const calls = objectsOf(delta.tool_calls)
    const filled = calls.map((call) =>
      bare.delete(Number(call.index)) ? withArguments(call) : call,
    )
    const more = [...bare].map((index) => ({ index, function: { arguments: NONE } }))
    return { ...delta, tool_calls: [...filled, ...more] }
  }
}

/** The calls of a whole answer; the same list if none lacks arguments. */
export function filledCalls(calls: readonly unknown[]): readonly unknown[] {
  const filled = calls.map((call) =>
    isObject(call) && isObject(call.function) && call.function.arguments === ''
      ? withArguments(call)
      : call,
  )
  return filled.some((call, at) => call !== calls[at]) ? filled : calls
}

function withArguments(call: JsonObject): JsonObject {
  return { ...call, function: { ...(call.function as JsonObject), arguments: NONE } }
}
