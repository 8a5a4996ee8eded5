// Finds what a conversation contains besides texts and what only some dialects can express.
import type { ChatDialect } from '../../contract/dialect.ts'
import type { ChatRequest, Part, PartOf, Turn } from '../../contract/neutral.ts'
import { markdownImage, textOfFile } from './media.ts'

/** What a target can express. */
interface Kept {
  names?: boolean
  cacheMarks?: boolean
  citations?: boolean
  details?: boolean
  /** Whether a tool failed. */
  failures?: boolean
  /** Its own tools. */
  toolsOf?: ChatDialect
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
  for (const name of ['tool_search', 'image_generation'] as const) {
    const isLost = hostedTools.some(
      ({ kind, dialect }) => kind === name && dialect !== kept.toolsOf,
    )
    if (isLost) lost.push(`tools.${name}`)
  }
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

const mediaNames = { image: 'image_url', file: 'file', audio: 'input_audio' } as const

type MediaPart = PartOf<keyof typeof mediaNames>

/** The turns for a target whose model says nothing but text: pictures and files of text that stand in turns of the model become
 *  text, and other media there are left out by their names. */
export function withModelTexts(turns: readonly Turn[], drop: (name: string) => void): Turn[] {
  return turns.map((turn) => {
    if (turn.role === 'user' || !turn.parts.some(isMedia)) return turn
    const parts = turn.parts.flatMap((part): Part[] => {
      if (!isMedia(part)) return [part]
      const text = textOfMedia(part)
      if (text === undefined) drop(mediaNames[part.kind])
      const cache = 'cache' in part && part.cache ? { cache: part.cache } : {}
      return text === undefined ? [] : [{ kind: 'text', text, ...cache }]
    })
    return { ...turn, parts }
  })
}

function isMedia(part: Part): part is MediaPart {
  return part.kind in mediaNames
}

function textOfMedia(part: MediaPart): string | undefined {
  if (part.kind === 'file') return textOfFile(part)
  if (part.kind === 'audio') return undefined
  const { source } = part
  if (source.type === 'base64') return markdownImage(source.mediaType, source.data)
  return source.type === 'url' ? `![image](${source.url})` : undefined
}
