import { asText, isObject, type JsonObject } from '../../contract/json.ts'
import {
  documentCitation,
  documentPlace,
  type DocumentPlace,
  pagePlace,
  urlCitation,
} from '../neutral/citations.ts'

interface PlaceForm {
  type: string
  start: string
  end: string
  unit?: NonNullable<DocumentPlace['unit']>
}

const CHARS: PlaceForm = {
  type: 'char_location',
  start: 'start_char_index',
  end: 'end_char_index',
}

/** How a position in a document is written, depending on what is counted. */
const FORMS: readonly PlaceForm[] = [
  CHARS,
  { type: 'page_location', start: 'start_page_number', end: 'end_page_number', unit: 'page' },
  {
    type: 'content_block_location',
    start: 'start_block_index',
    end: 'end_block_index',
    unit: 'block',
  },
]

/** The source of a citation, with the span of the answer that it supports: a web page, or a position in a document of the request. */
export function readCitation(
  citation: unknown,
  span: { start: number; end: number },
): JsonObject | undefined {
  if (!isObject(citation)) return undefined
  const form = FORMS.find(({ type }) => type === citation.type)
  if (form !== undefined) return placeOf(citation, form)
  const url = citation.url ?? (citation.type === 'search_result_location' ? citation.source : '')
  if (typeof url !== 'string' || url === '') return undefined
  return urlCitation({ url, title: asText(citation.title), ...span })
}

function placeOf(citation: JsonObject, form: PlaceForm): JsonObject | undefined {
  const { document_index: index, [form.start]: start, [form.end]: end } = citation
  if (typeof index !== 'number' || typeof start !== 'number' || typeof end !== 'number')
    return undefined
  const title = asText(citation.document_title)
  const text = asText(citation.cited_text)
  return documentCitation({
    index,
    text,
    start,
    end,
    ...(title === '' ? {} : { title }),
    ...(form.unit === undefined ? {} : { unit: form.unit }),
  })
}

/** Writes a position in a document of the request, or a page. Anthropic signs the pages of its own search; pages
 *  without a signature are removed again before Claude sees them (history.ts). */
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
  const form = FORMS.find(({ unit }) => unit === place.unit) ?? CHARS
  return {
    type: form.type,
    cited_text: place.text,
    document_index: place.index,
    document_title: place.title ?? null,
    [form.start]: place.start,
    [form.end]: place.end,
    file_id: null,
  }
}
