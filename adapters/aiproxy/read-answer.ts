import { isObject, UpstreamError, type ChatEvent } from '#core'
import { closing, readFailure, textEvents } from '#adapter-kit'

/** @throws UpstreamError for an answer that is none */
export function readAnswer(body: unknown): ChatEvent[] {
  if (!isObject(body) || typeof body.answer !== 'string')
    throw new UpstreamError(readFailure(200, body))
  return [
    { type: 'start' },
    ...textEvents(body.answer + documentList(body.documents)),
    ...closing('stop', undefined),
  ]
}

/** The documents that an answer was taken from, as a list in Markdown; empty for none. */
export function documentList(documents: unknown): string {
  if (!Array.isArray(documents) || documents.length === 0) return ''
  const lines = documents
    .filter(isObject)
    .map(({ title, url }, index) => `${index + 1}. [${String(title)}](${String(url)})`)
  return `\n\nReferences:\n${lines.join('\n')}`
}
