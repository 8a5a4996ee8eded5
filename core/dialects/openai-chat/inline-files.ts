// A chat message contains a file as bytes only, while other dialects may also name it by its URL.
import type { AttemptContext } from '../../contract/adapter.ts'
import type { ChatRequest, Part, PartOf } from '../../contract/neutral.ts'
import { requestInvalid } from '../neutral/request-errors.ts'

const MOST_FILES = 16

/** Downloads the files that a conversation names by URL.
 *  @returns the same request if there are none
 *  @throws request.invalid for too many, request.unreachable_file */
export async function inlineChatFiles(
  request: ChatRequest,
  { fetchFile }: Pick<AttemptContext, 'fetchFile'>,
): Promise<ChatRequest> {
  const named = request.turns.flatMap(({ parts }) => parts.flatMap(filesByUrl))
  if (named.length === 0) return request
  if (named.length > MOST_FILES) {
    throw requestInvalid('messages', `this model takes at most ${MOST_FILES} files by their URLs`)
  }
  const fetched = new Map<Part, Part>()
  await Promise.all(
    named.map(async (part) => {
      const { mediaType, data } = await fetchFile(part.source.url)
      const source = {
        type: 'base64' as const,
        mediaType: typeOf(part.source.url, mediaType),
        data: Buffer.from(data).toString('base64'),
      }
      fetched.set(part, { ...part, source, name: part.name ?? nameOf(part.source.url) })
    }),
  )
  const swap = (part: Part): Part =>
    part.kind === 'tool_result'
      ? { ...part, content: part.content.map(swap) }
      : (fetched.get(part) ?? part)
  return {
    ...request,
    turns: request.turns.map((turn) => ({ ...turn, parts: turn.parts.map(swap) })),
  }
}

type FileByUrl = PartOf<'file'> & { source: { type: 'url'; url: string } }

function filesByUrl(part: Part): FileByUrl[] {
  if (part.kind === 'tool_result') return part.content.flatMap(filesByUrl)
  return isByUrl(part) ? [part] : []
}

function isByUrl(part: Part): part is FileByUrl {
  return part.kind === 'file' && part.source.type === 'url'
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? ''
}

/** Many servers send every file as a byte stream of no particular type. */
function typeOf(url: string, declared: string): string {
  const isVague = declared === '' || declared === 'application/octet-stream'
  return isVague && pathOf(url).toLowerCase().endsWith('.pdf') ? 'application/pdf' : declared
}

function nameOf(url: string): string {
  return pathOf(url).split('/').at(-1) || 'file'
}
