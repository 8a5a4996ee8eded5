import { isObject, type JsonObject } from '../../contract/json.ts'

/** A citation of a web page as OpenAI's `url_citation`, the neutral form; other kinds have no counterpart. */
export function readCitation(citation: unknown): JsonObject | undefined {
  if (!isObject(citation) || typeof citation.url !== 'string') return undefined
  return {
    type: 'url_citation',
    url_citation: {
      url: citation.url,
      title: typeof citation.title === 'string' ? citation.title : '',
      // Anthropic does not tell where in the answer the citation belongs.
      start_index: 0,
      end_index: 0,
    },
  }
}
