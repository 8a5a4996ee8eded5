import type { AttemptContext, Body } from '../../contract/adapter.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { editList } from './message-edits.ts'

/** For providers that charge for searches and whose usage does not tell of them: the answers and chunks with a usage that does.
 *  @param searchesIn how many searches an answer or a chunk names
 *  @param most of one answer, where chunks may name a search again */
export function toldSearches(
  searchesIn: (body: Body) => number,
  most = Number.POSITIVE_INFINITY,
): {
  answer: (body: Body) => Body
  chunk: (chunk: Body, context: AttemptContext) => Body
} {
  // A stream names its searches long before its usage.
  const inStreams = new WeakMap<AttemptContext, number>()
  return {
    answer: (body) => withCount(body, searchesIn(body)),
    chunk(chunk, context) {
      const before = inStreams.get(context) ?? 0
      const count = Math.min(most, before + searchesIn(chunk))
      if (count > before) inStreams.set(context, count)
      const told = withCount(chunk, count)
      // The usage may never come, where the stream is cut.
      return told === chunk && count > before ? { ...chunk, usage: counted({}, count) } : told
    },
  }
}

/** The usage of a stream may stand on a choice instead. */
function withCount(body: Body, count: number): Body {
  if (count === 0) return body
  const withUsage = (object: JsonObject): JsonObject =>
    isObject(object['usage']) ? { ...object, usage: counted(object['usage'], count) } : object
  if (isObject(body['usage'])) return withUsage(body)
  return editList(body, 'choices', withUsage)
}

function counted(usage: JsonObject, count: number): JsonObject {
  return { ...usage, server_tool_use: { web_search_requests: count } }
}
