// Messages have a role and a content only, and after the system's the user and the assistant must take turns.
import { isObject, type JsonObject } from '#core'

interface Turn {
  role: string
  content: unknown
}

export function toTurns(messages: unknown): Turn[] {
  if (!Array.isArray(messages)) return []
  const turns: Turn[] = []
  for (const message of messages.filter(isObject)) {
    const last = turns.at(-1)
    const turn = turnOf(message, last === undefined || last.role === 'system')
    if (turn === undefined) continue
    if (last?.role === turn.role) last.content = joined(last.content, turn.content)
    else turns.push(turn)
  }
  return turns
}

/** Results of tools, and system messages after the first turn, become messages of the user. */
function turnOf({ role, content }: JsonObject, isStart: boolean): Turn | undefined {
  if ((role === 'system' || role === 'developer') && isStart) return { role: 'system', content }
  if (role !== 'assistant') return { role: 'user', content: content ?? '' }
  // The model has no tools: a message that only calls them is left out.
  return content === null || content === undefined || content === ''
    ? undefined
    : { role: 'assistant', content }
}

function joined(first: unknown, second: unknown): unknown {
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`
  return [...partsOf(first), ...partsOf(second)]
}

function partsOf(content: unknown): unknown[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: content }]
}
