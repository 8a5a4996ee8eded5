// Makes the answer of POST /v1/rerank, in Jina's form, from the answers of other rerankers.
import type { AttemptContext, Body } from '../contract/adapter.ts'
import { isObject, type JsonObject } from '../contract/json.ts'
import { unreadable } from '../dialects/neutral/parsed-event.ts'

export interface RerankReading {
  /** The upstream's list of `{index, relevance_score, document?}`. */
  results: unknown
  /** Absent if core should count. */
  inputTokens?: number | undefined
  outputTokens?: number | undefined
}

/** `document` is included only if the client asked for it, always as `{text}`; if the upstream leaves it out, it is
 *  taken from the request.
 *  @throws UpstreamError if there is no list */
export function rerankAnswer(
  { results, inputTokens, outputTokens = 0 }: RerankReading,
  request: Readonly<JsonObject> | undefined,
): Body {
  if (!Array.isArray(results)) throw unreadable()
  const entries = results.filter(isObject)
  const isWanted = request?.['return_documents'] === true
  const documents = Array.isArray(request?.['documents']) ? request['documents'] : []
  return {
    results: entries.map((entry) => ({
      index: entry['index'],
      relevance_score: entry['relevance_score'] ?? entry['score'],
      ...(isWanted
        ? { document: documentOf(entry['document'] ?? documents[Number(entry['index'])]) }
        : {}),
    })),
    ...(inputTokens === undefined || inputTokens <= 0
      ? {}
      : {
          usage: {
            prompt_tokens: inputTokens,
            completion_tokens: outputTokens,
            total_tokens: inputTokens + outputTokens,
          },
        }),
  }
}

/** For upstreams that answer as Jina does, `{results, usage: {total_tokens}}`. */
export function jinaRerankAnswer(
  { results, usage }: Body,
  { clientBody }: Pick<AttemptContext, 'clientBody'>,
): Body {
  const total = isObject(usage) ? usage['total_tokens'] : undefined
  return rerankAnswer(
    { results, inputTokens: typeof total === 'number' ? total : undefined },
    clientBody,
  )
}

function documentOf(document: unknown): JsonObject {
  if (isObject(document)) return document
  return { text: typeof document === 'string' ? document : '' }
}

/** Documents as plain texts, for rerankers that take nothing else. */
export function documentTexts(documents: unknown): string[] {
  if (!Array.isArray(documents)) return []
  return documents.map((document: unknown) => {
    if (typeof document === 'string') return document
    if (isObject(document) && typeof document['text'] === 'string') return document['text']
    return JSON.stringify(document)
  })
}
