// Finds what a conversation contains besides texts and what only some dialects can express.
import type { ChatDialect } from '../../contract/dialect.ts'
import type { ChatRequest, Part } from '../../contract/neutral.ts'

/** What a target can express. */
interface Kept {
  names?: boolean
  cacheMarks?: boolean
  citations?: boolean
  details?: boolean
  /** Whether a tool failed. */
  failures?: boolean
  /** Its own tool searches. */
  toolSearchOf?: ChatDialect
}

type Conversation = Pick<ChatRequest, 'system' | 'turns' | 'tools' | 'hostedTools'>

/** Wire names of what the target cannot express, for `dropped`. Participants' names are not added to the text instead:
 *  nobody wrote such a prefix, and models would answer in that form. */
export function lostInTurns(
  { system, turns, tools, hostedTools }: Conversation,
  kept: Kept,
): string[] {
  const parts = [...system, ...turns.flatMap((turn) => withInner(turn.parts))]
  const lost: string[] = []
  if (!kept.names && turns.some(({ name }) => name !== undefined)) lost.push('messages.name')
  if (!kept.cacheMarks && (parts.some(isMarked) || tools.some(isMarked))) lost.push('cache_control')
  if (!kept.citations && parts.some(isCited)) lost.push('citations')
  if (!kept.details && parts.some(hasDetail)) lost.push('detail')
  if (!kept.failures && parts.some(isFailure)) lost.push('is_error')
  const isLost = hostedTools.some(
    ({ kind, dialect }) => kind === 'tool_search' && dialect !== kept.toolSearchOf,
  )
  if (isLost) lost.push('tools.tool_search')
  return lost
}

function withInner(parts: readonly Part[]): Part[] {
  return parts.flatMap((part) => (part.kind === 'tool_result' ? [part, ...part.content] : [part]))
}

function isMarked(holder: object): boolean {
  return 'cache' in holder && holder.cache !== undefined
}

function isCited(part: Part): boolean {
  return part.kind === 'file' && part.cited !== undefined
}

function isFailure(part: Part): boolean {
  return part.kind === 'tool_result' && part.isError === true
}

function hasDetail(part: Part): boolean {
  return part.kind === 'image' && part.detail !== undefined && part.detail !== 'auto'
}
