import { isObject, type JsonObject } from '../../contract/json.ts'

/** Chat nests what Responses writes flat. */
export function flatCitation(citation: JsonObject): JsonObject {
  return isObject(citation.url_citation)
    ? { type: 'url_citation', ...citation.url_citation }
    : citation
}

/** The neutral form is chat's. */
export function nestedCitation(annotation: JsonObject): JsonObject {
  if (annotation.type !== 'url_citation' || isObject(annotation.url_citation)) return annotation
  const { type, ...place } = annotation
  return { type, url_citation: place }
}
