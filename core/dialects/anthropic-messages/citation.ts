import { isObject, type JsonObject } from '../../contract/json.ts'
import { documentPlace, urlCitation } from '../neutral/citations.ts'

/** A citation of a web page; other kinds have no counterpart in other dialects. */
export function readCitation(citation: unknown): JsonObject | undefined {
  if (!isObject(citation) || typeof citation.url !== 'string') return undefined
  const title = typeof citation.title === 'string' ? citation.title : ''
  // Anthropic does not tell where in the answer the citation belongs.
  return urlCitation({ url: citation.url, title, start: 0, end: 0 })
}

/** A place in a document of the request. One on a web page needs a seal of Anthropic's own search, so it is left out. */
export function writeCitation(citation: JsonObject): JsonObject | undefined {
  const place = documentPlace(citation)
  if (place === undefined) return undefined
  return {
    type: 'char_location',
    cited_text: place.text,
    document_index: place.index,
    document_title: place.title ?? null,
    start_char_index: place.start,
    end_char_index: place.end,
    file_id: null,
  }
}
