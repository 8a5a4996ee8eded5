import type { ChatDialect } from '../../contract/dialect.ts'
import type { MediaSource, PartOf } from '../../contract/neutral.ts'
import { unsupportedFileReference } from './request-errors.ts'

const DATA_URL = /^data:([^;,]*)((?:;[^;,]*)*),/i

/** A `data:` URL becomes bytes; any other URL stays one. */
export function sourceOfUrl(url: string): MediaSource {
  // Matched on a short prefix: the rest may be megabytes.
  const match = DATA_URL.exec(url.slice(0, 300))
  if (match === null) return { type: 'url', url }
  const rest = url.slice(match[0].length)
  const mediaType = match[1] === undefined || match[1] === '' ? 'text/plain' : match[1]
  if (match[2]?.toLowerCase().includes(';base64')) return { type: 'base64', mediaType, data: rest }
  return {
    type: 'base64',
    mediaType,
    data: Buffer.from(decodeURIComponent(rest), 'utf8').toString('base64'),
  }
}

export function dataUrl(mediaType: string, data: string): string {
  return `data:${mediaType};base64,${data}`
}

/** The URL or data URL of an image or file, for dialects that accept only URLs.
 *  @throws request.unsupported_file_reference */
export function urlOfSource(source: MediaSource, field: string): string {
  switch (source.type) {
    case 'base64':
      return dataUrl(source.mediaType, source.data)
    case 'url':
      return source.url
    case 'text':
      return dataUrl('text/plain', Buffer.from(source.text, 'utf8').toString('base64'))
    case 'file_id':
      throw unsupportedFileReference(field)
  }
}

const TEXTUAL =
  /^(?:text\/|application\/(?:json|xml|yaml|x-yaml)(?:;|$)|application\/[\w.-]+\+(?:json|xml)(?:;|$))/i

/** What a file says that is nothing but text, under its name if it has one; undefined for any other file. */
export function textOfFile({ source, name }: PartOf<'file'>): string | undefined {
  const text = textOf(source)
  return text === undefined || name === undefined ? text : `${name}:\n${text}`
}

function textOf(source: MediaSource): string | undefined {
  if (source.type === 'text') return source.text
  if (source.type !== 'base64' || !TEXTUAL.test(source.mediaType)) return undefined
  return Buffer.from(source.data, 'base64').toString('utf8')
}

/** The name of a file that is sent as bytes. OpenAI reads the kind of some files from it. */
export function fileName({ source, name = 'file' }: PartOf<'file'>): string {
  const isPdf = source.type === 'base64' && source.mediaType === 'application/pdf'
  return isPdf && !/\.pdf$/i.test(name) ? `${name}.pdf` : name
}

/** The id of a file that is stored at the target itself.
 *  @throws request.unsupported_file_reference for a file of another provider */
export function ownFileId(source: MediaSource & { type: 'file_id' }, target: ChatDialect): string {
  const isOwn = source.dialect === target || (isOpenai(source.dialect) && isOpenai(target))
  if (!isOwn) throw unsupportedFileReference('messages')
  return source.id
}

function isOpenai(dialect: ChatDialect): boolean {
  return dialect === 'openai-chat' || dialect === 'openai-responses'
}

/** An image made by the model, for dialects whose answers contain only text. */
export function markdownImage(mediaType: string, data: string): string {
  return `![image](${dataUrl(mediaType, data)})`
}
