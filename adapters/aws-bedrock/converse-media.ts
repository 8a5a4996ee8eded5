// Images, documents, video and audio. Source: docs.aws.amazon.com/bedrock, API reference ImageBlock, DocumentBlock, VideoBlock, AudioBlock.
import type { AttemptContext, JsonObject, MediaSource, Part, PartOf, Turn } from '#core'
import { namesApart, unsupportedFileReference, unsupportedParameter } from '#adapter-kit'

/** Downloaded files by their address. */
export type Files = ReadonlyMap<string, { mediaType: string; data: Uint8Array }>

/** Downloads each URL of the conversation once: the runtime takes bytes only. */
export async function fetchFiles(
  turns: readonly Turn[],
  { fetchFile }: Pick<AttemptContext, 'fetchFile'>,
): Promise<Files> {
  const urls = new Set(turns.flatMap(({ parts }) => urlsOf(parts)))
  const loaded = [...urls].map(async (url) => [url, await fetchFile(url)] as const)
  return new Map(await Promise.all(loaded))
}

function urlsOf(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'tool_result') return urlsOf(part.content)
    if (part.kind !== 'image' && part.kind !== 'file') return []
    return part.source.type === 'url' ? [part.source.url] : []
  })
}

interface Bytes {
  mediaType: string
  /** base64 */
  data: string
}

const IMAGES: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/jpg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
])

const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['text/html', 'html'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
  ['application/json', 'txt'],
])

const FILMS: ReadonlyMap<string, string> = new Map([
  ['video/mp4', 'mp4'],
  ['video/quicktime', 'mov'],
  ['video/x-matroska', 'mkv'],
  ['video/webm', 'webm'],
  ['video/x-flv', 'flv'],
  ['video/mpeg', 'mpeg'],
  ['video/x-ms-wmv', 'wmv'],
  ['video/3gpp', 'three_gp'],
])

const SOUNDS: ReadonlyMap<string, string> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['audio/flac', 'flac'],
  ['audio/aac', 'aac'],
  ['audio/mp4', 'm4a'],
  ['audio/webm', 'webm'],
])

/** @throws request.unsupported_parameter for a kind of image that the runtime does not take */
export function imageBlock(source: MediaSource, files: Files): JsonObject {
  const bytes = bytesOf(source, files)
  return block('image', IMAGES, bytes) ?? refuse(bytes)
}

export function soundBlock({ mediaType, data }: PartOf<'audio'>): JsonObject {
  const bytes = { mediaType, data }
  return block('audio', SOUNDS, bytes) ?? refuse(bytes)
}

/** The media type decides: image, video, audio or document. Documents get names that no earlier one has. */
export function fileBlock(
  { source, name }: PartOf<'file'>,
  files: Files,
  nameApart: NameApart,
): JsonObject {
  const bytes = bytesOf(source, files)
  const media =
    block('image', IMAGES, bytes) ?? block('video', FILMS, bytes) ?? block('audio', SOUNDS, bytes)
  if (media !== undefined) return media
  const format = DOCUMENTS.get(plainType(bytes)) ?? (isText(bytes) ? 'txt' : refuse(bytes))
  const title = uniqueTitle(name ?? 'document', nameApart)
  return { document: { format, name: title, source: { bytes: bytes.data } } }
}

function block(
  kind: string,
  formats: ReadonlyMap<string, string>,
  bytes: Bytes,
): JsonObject | undefined {
  const format = formats.get(plainType(bytes))
  return format === undefined ? undefined : { [kind]: { format, source: { bytes: bytes.data } } }
}

function plainType({ mediaType }: Bytes): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase()
}

function isText(bytes: Bytes): boolean {
  return plainType(bytes).startsWith('text/')
}

function refuse(bytes: Bytes): never {
  throw unsupportedParameter('messages', `this model takes no file of type ${plainType(bytes)}`)
}

/** @throws request.unsupported_file_reference for the id of a file that lies elsewhere */
function bytesOf(source: MediaSource, files: Files): Bytes {
  switch (source.type) {
    case 'base64':
      return source
    case 'text':
      return { mediaType: 'text/plain', data: Buffer.from(source.text, 'utf8').toString('base64') }
    case 'url': {
      const file = files.get(source.url)
      if (file === undefined) throw unsupportedFileReference('messages')
      return { mediaType: file.mediaType, data: Buffer.from(file.data).toString('base64') }
    }
    case 'file_id':
      throw unsupportedFileReference('messages')
  }
}

const LONGEST_TITLE = 200

type NameApart = (name: string) => string

/** For the documents of one conversation. */
export function titlesApart(): NameApart {
  return namesApart(new Set(), { suffixOf: (number) => ` (${number})` })
}

/** Letters, digits, single spaces, hyphens, parentheses and brackets only, and no name twice in a conversation. */
function uniqueTitle(name: string, nameApart: NameApart): string {
  const fitted = name
    .slice(0, LONGEST_TITLE)
    .replace(/[^A-Za-z0-9()[\]-]+/g, ' ')
    .trim()
  return nameApart(fitted === '' ? 'document' : fitted)
}
