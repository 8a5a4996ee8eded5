import type { PartOf, Turn } from '../../contract/neutral.ts'
import { namesApart } from './tool-names.ts'

type Call = PartOf<'tool_call'>
type Result = PartOf<'tool_result'>

/** Gives each call an id of its own where the server that made them counts anew in every answer. Results follow the calls of the
 *  turn before them, several of one id in their order. Turns must alternate. */
export function callIdsApart(turns: readonly Turn[]): void {
  const ids = callsOf(turns).map(({ id }) => id)
  const known = new Set(ids)
  if (known.size === ids.length) return
  const seen = new Set<string>()
  const idApart = namesApart(known)
  let open = new Map<string, { ids: string[]; answered: number }>()
  const ofCall = (call: Call): Call => {
    const id = seen.has(call.id) ? idApart(call.id) : call.id
    seen.add(call.id)
    const same = open.get(call.id)
    if (same) same.ids.push(id)
    else open.set(call.id, { ids: [id], answered: 0 })
    return id === call.id ? call : { ...call, id }
  }
  const ofResult = (result: Result): Result => {
    const same = open.get(result.callId)
    if (!same) return result
    const id = same.ids[same.answered] ?? same.ids.at(-1) ?? result.callId
    same.answered += 1
    return id === result.callId ? result : { ...result, callId: id }
  }
  for (const turn of turns) {
    if (turn.role === 'model') open = new Map()
    turn.parts = turn.parts.map((part) => {
      if (part.kind === 'tool_call') return ofCall(part)
      return part.kind === 'tool_result' ? ofResult(part) : part
    })
  }
}

function callsOf(turns: readonly Turn[]): Call[] {
  return turns.flatMap(({ parts }) => parts.filter((part) => part.kind === 'tool_call'))
}
