import { isObject, type JsonObject } from '../../contract/json.ts'
import { documentCitation, documentPlace, pagePlace, urlCitation } from '../neutral/citations.ts'
import { asText } from '../neutral/parsed-event.ts'

/** What a citation rests on, with the span of the answer that it is of. Pages, and places in documents of plain text; pages of a PDF and blocks
 *  of a document have no counterpart in other dialects. */
export function readCitation(
  citation: unknown,
  span: { start: number; end: number },
): JsonObject | undefined {
  if (!isObject(citation)) return undefined
  if (citation.type === 'char_location') return charLocation(citation)
  const url = citation.url ?? (citation.type === 'search_result_location' ? citation.source : '')
  if (typeof url !== 'string' || url === '') return undefined
  return urlCitation({ url, title: asText(citation.title), ...span })
}

function charLocation(citation: JsonObject): JsonObject | undefined {
  const { document_index: index, start_char_index: start, end_char_index: end } = citation
  if (typeof index !== 'number' || typeof start !== 'number' || typeof end !== 'number')
    return undefined
  const title = asText(citation.document_title)
  const text = asText(citation.cited_text)
  return documentCitation({ index, text, start, end, ...(title === '' ? {} : { title }) })
}

/** A place in a document of the request, or a page. Anthropic seals the pages of its own search; one without a seal is taken out again before
 *  Claude sees it (history.ts). */
export function writeCitation(citation: JsonObject): JsonObject | undefined {
  const page = pagePlace(citation)
  if (page !== undefined) {
    return {
      type: 'web_search_result_location',
      url: page.url,
      title: page.title === '' ? null : page.title,
      cited_text: '',
      encrypted_index: '',
    }
  }
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
