import { isObject, type JsonObject } from '../../contract/json.ts'
import type { AnswerPart } from '../neutral/aggregate-answer.ts'
import { pagePlace } from '../neutral/citations.ts'
import { charCount } from '../neutral/text-places.ts'

/** Chat nests the fields that Responses does not nest. */
function flatCitation(citation: JsonObject): JsonObject {
  return isObject(citation.url_citation)
    ? { type: 'url_citation', ...citation.url_citation }
    : citation
}

/** The citation with its place in a text that has so many characters of the answer before it. */
export function citationFrom(citation: JsonObject, charsBefore: number): JsonObject {
  const flat = flatCitation(citation)
  const { start_index: start, end_index: end } = flat
  if (charsBefore === 0 || typeof start !== 'number' || typeof end !== 'number' || end === 0)
    return flat
  return {
    ...flat,
    start_index: Math.max(0, start - charsBefore),
    end_index: Math.max(0, end - charsBefore),
  }
}

/** The neutral form is that of chat. */
export function nestedCitation(annotation: JsonObject): JsonObject {
  if (annotation.type !== 'url_citation' || isObject(annotation.url_citation)) return annotation
  const { type, ...place } = annotation
  return { type, url_citation: place }
}

/** Assigns each citation to the text that contains its place; one without a place goes to the first text. */
export function citationsByPart(
  parts: readonly AnswerPart[],
  citations: readonly JsonObject[],
): Map<AnswerPart, JsonObject[]> {
  const texts = citations.length === 0 ? [] : parts.filter((part) => part.kind === 'text')
  const ends: number[] = []
  for (const { text } of texts) ends.push((ends.at(-1) ?? 0) + charCount(text))
  const cited = new Map<AnswerPart, JsonObject[]>()
  for (const citation of citations) {
    const start = pagePlace(citation)?.start ?? 0
    const found = ends.findIndex((end) => start < end)
    const part = texts[Math.max(0, found)]
    if (part === undefined) continue
    const before = found > 0 ? (ends[found - 1] ?? 0) : 0
    cited.set(part, [...(cited.get(part) ?? []), citationFrom(citation, before)])
  }
  return cited
}
