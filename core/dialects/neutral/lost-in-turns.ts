// What a conversation says beside its texts, and only some dialects have a place for.
import type { ChatDialect } from '../../contract/dialect.ts'
import type { ChatRequest, Part } from '../../contract/neutral.ts'

/** What a target has a place for. */
interface Kept {
  names?: boolean
  cacheMarks?: boolean
  citations?: boolean
  details?: boolean
  /** Its own tool searches. */
  toolSearchOf?: ChatDialect
}

type Conversation = Pick<ChatRequest, 'system' | 'turns' | 'tools' | 'hostedTools'>

/** Wire names of what the conversation says and the target cannot, for `dropped`. A name stays out of the text: a prefix would be a prompt that
 *  nobody wrote, and models answer in its form. */
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

function hasDetail(part: Part): boolean {
  return part.kind === 'image' && part.detail !== undefined && part.detail !== 'auto'
}
