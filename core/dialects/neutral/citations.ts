// Citations in the neutral form: OpenAI's `url_citation` for pages, and a form of our own for documents that came with the request.
import { isObject, type JsonObject } from '../../contract/json.ts'

/** A place in a document of the request. */
export interface DocumentPlace {
  /** The document's place among those of the request, from 0. */
  index: number
  title?: string
  /** What stands at the place; characters from `start` up to `end`. */
  text: string
  start: number
  end: number
}

const DOCUMENT = 'document_citation'

export function documentCitation(place: DocumentPlace): JsonObject {
  return { type: DOCUMENT, [DOCUMENT]: place }
}

/** Undefined for citations of pages. */
export function documentPlace(citation: JsonObject): DocumentPlace | undefined {
  const place = citation[DOCUMENT]
  return citation.type === DOCUMENT && isPlace(place) ? place : undefined
}

function isPlace(value: unknown): value is DocumentPlace {
  if (!isObject(value)) return false
  const numbers = [value['index'], value['start'], value['end']]
  return typeof value['text'] === 'string' && numbers.every((number) => typeof number === 'number')
}

/** For clients whose dialect has no word for a document of the request. */
export function withoutDocuments(citations: readonly JsonObject[]): JsonObject[] {
  return citations.filter((citation) => documentPlace(citation) === undefined)
}

export function urlCitation(place: {
  url: string
  title: string
  start: number
  end: number
}): JsonObject {
  const { url, title, start, end } = place
  return {
    type: 'url_citation',
    url_citation: { url, title, start_index: start, end_index: end },
  }
}
