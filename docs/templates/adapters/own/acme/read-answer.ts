import {
  type ChatEvent,
  type FinishReason,
  isObject,
  type JsonObject,
  type Usage,
  UpstreamError,
} from 'tollgate/contract'
import { closing, readFailure, textEvents, tokens, usageOf } from 'tollgate/adapter-kit'

/** @throws UpstreamError for an error inside a 200 */
export function readAnswer(body: unknown): ChatEvent[] {
  if (!isObject(body) || typeof body['text'] !== 'string')
    throw new UpstreamError(readFailure(200, body))
  return [{ type: 'start' }, ...textEvents(body['text']), ...endOf(body)]
}

/** Of a whole answer, and of the last event of a stream. */
export function endOf(body: JsonObject): ChatEvent[] {
  const reason: FinishReason = body['end'] === 'limit' ? 'length' : 'stop'
  return closing(reason, usageIn(body['tokens']))
}

function usageIn(counts: unknown): Usage | undefined {
  if (!isObject(counts)) return undefined
  return usageOf({ input: tokens(counts['in']), output: tokens(counts['out']) })
}
