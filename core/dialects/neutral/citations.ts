// Citations in the neutral form: OpenAI's `url_citation` for pages, and a form of our own for documents of the request.
import type { AnswerHints } from '../../contract/dialect.ts'
import type { ChatRequest } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'

/** A position in a document of the request. */
export interface DocumentPlace {
  /** The document's number among those of the request, from 0. */
  index: number
  title?: string
  /** The quoted text, from `start` up to `end`. */
  text: string
  start: number
  end: number
  /** What is counted; characters if absent. Pages are counted from 1. */
  unit?: 'page' | 'block'
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

/** For clients whose dialect cannot refer to a document of the request. */
export function withoutDocuments(citations: readonly JsonObject[]): JsonObject[] {
  return citations.filter((citation) => documentPlace(citation) === undefined)
}

/** Marks answers that may contain citations. */
export function noteCitations(request: ChatRequest, hints: AnswerHints | undefined): void {
  const isSearching = request.webSearch !== undefined || request.hostedTools.length > 0
  if (hints !== undefined && isSearching) hints.cites = true
}

/** A page that supports an answer. `start` and `end` are characters of the answer, both 0 if unknown. */
export interface PagePlace {
  url: string
  title: string
  start: number
  end: number
}

/** Undefined for other citations. Chat nests what Responses writes flat; both are accepted. */
export function pagePlace(citation: JsonObject): PagePlace | undefined {
  const place = isObject(citation.url_citation) ? citation.url_citation : citation
  if (citation.type !== 'url_citation' || typeof place.url !== 'string') return undefined
  const { url, title, start_index: start, end_index: end } = place
  const hasPlace = typeof start === 'number' && typeof end === 'number' && start < end
  return {
    url,
    title: typeof title === 'string' ? title : '',
    start: hasPlace ? start : 0,
    end: hasPlace ? end : 0,
  }
}

export function urlCitation(place: PagePlace): JsonObject {
  const { url, title, start, end } = place
  return {
    type: 'url_citation',
    url_citation: { url, title, start_index: start, end_index: end },
  }
}
