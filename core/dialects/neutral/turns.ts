import type { Part, Turn } from '../../contract/neutral.ts'

/** A client's list may be longer than the arguments of a call. */
export function addTo<T>(list: T[], more: readonly T[]): void {
  for (const item of more) list.push(item)
}

/** Neighbours of one role become one turn, with tool results in front, as Anthropic and Gemini demand. Empty
 *  texts go unless they carry a seal; turns left empty stay. */
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
  for (const turn of merged) if (turn.role === 'user') turn.parts = resultsFirst(turn.parts)
  return merged
}

function resultsFirst(parts: Part[]): Part[] {
  const results = parts.filter((part) => part.kind === 'tool_result')
  if (results.length === 0 || results.length === parts.length) return parts
  return [...results, ...parts.filter((part) => part.kind !== 'tool_result')]
}

/** Arguments as an object; text that is no JSON object is kept under `arguments`. */
export function argumentObject(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
    return { arguments: value }
  } catch {
    return { arguments: text }
  }
}
