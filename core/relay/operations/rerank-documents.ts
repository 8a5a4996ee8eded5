import type { Body } from '../../contract/adapter.ts'
import { isObject } from '../../contract/json.ts'
import type { RelayCall } from '../call/relay-call.ts'

/** Removes the documents from a reranked answer unless the client asked for them; some upstreams send them unasked. */
export function withoutDocuments(
  { operation, body }: Pick<RelayCall, 'operation' | 'body'>,
  answer: Body,
): Body {
  const { results } = answer
  if (operation !== 'rerank' || body?.['return_documents'] === true || !Array.isArray(results))
    return answer
  if (!results.some((entry) => isObject(entry) && entry['document'] !== undefined)) return answer
  return { ...answer, results: results.map(withoutDocument) }
}

function withoutDocument(entry: unknown): unknown {
  if (!isObject(entry)) return entry
  const { document: _unasked, ...rest } = entry
  return rest
}
