import type { Part, Turn } from '../../contract/neutral.ts'
import { callIdsApart } from './call-ids-apart.ts'
import { wellFormed } from './well-formed.ts'
import { boundedJson } from '../../wire/bounded-json.ts'

/** Used instead of a spread, because a client's list may be longer than the allowed number of arguments. */
export function addTo<T>(list: T[], more: readonly T[]): void {
  for (const item of more) list.push(item)
}

/** Merges consecutive turns of one role, gives calls that share an id one each, and puts tool results first, as Anthropic and
 *  Gemini demand, in the order of their calls. Empty texts are removed unless they carry a signature; turns that become empty stay. */
export function mergeTurns(turns: readonly Turn[]): Turn[] {
  const merged: Turn[] = []
  for (const turn of turns) {
    const last = merged.at(-1)
    const parts = turn.parts.filter(
      (part) => part.kind !== 'text' || part.text !== '' || part.state !== undefined,
    )
    if (last?.role === turn.role) addTo(last.parts, parts)
    else merged.push({ role: turn.role, parts })
  }
  callIdsApart(merged)
  for (const [index, turn] of merged.entries()) {
    if (turn.role === 'user') turn.parts = resultsFirst(turn.parts, merged[index - 1])
  }
  return merged
}

/** Neighbours of the model become one turn. Programs keep each piece of a stream as one of their own, and OpenAI wants the
 *  results of all calls behind the message that makes them. */
export function joinModelTurns(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = []
  for (const turn of turns) {
    const last = joined.at(-1)
    if (turn.role === 'model' && last?.role === 'model') addTo(last.parts, turn.parts)
    else joined.push(turn)
  }
  return joined
}

/** Where calls have no ids, as at Gemini, two results of one function are told apart by their places. */
function resultsFirst(parts: Part[], before: Turn | undefined): Part[] {
  const results = parts.filter((part) => part.kind === 'tool_result')
  if (results.length === 0) return parts
  const places = new Map<string, number>()
  for (const part of before?.parts ?? []) {
    if (part.kind === 'tool_call' && !places.has(part.id)) places.set(part.id, places.size)
  }
  const placeOf = (id: string) => places.get(id) ?? places.size
  results.sort((one, other) => placeOf(one.callId) - placeOf(other.callId))
  return [...results, ...parts.filter((part) => part.kind !== 'tool_result')]
}

/** The same limit as for bodies. */
const DEEPEST = 128

/** Parses JSON inside a text of a request, which will be written again.
 *  @throws Error if it is not JSON, or nested deeper than bodies may be */
export function shallowJson(text: string): unknown {
  const value = boundedJson(text)
  if (text.length > 2 * DEEPEST && isDeeper(value, DEEPEST)) throw new Error('nested too deep')
  return wellFormed(value)
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

/** The arguments of a call in a request, as an object. Text that is not a JSON object, or is nested too deep, is kept under `arguments`. */
export function argumentObject(text: string): Record<string, unknown> {
  return objectOf(text, shallowJson)
}

/** The same for an answer, whose depth is checked when it is written. */
export function answeredArguments(text: string): Record<string, unknown> {
  return objectOf(text, boundedJson)
}

function objectOf(text: string, read: (text: string) => unknown): Record<string, unknown> {
  if (text.trim() === '') return {}
  try {
    const value = read(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
    return { arguments: value }
  } catch {
    return { arguments: text }
  }
}
