import type { ChatOperation } from '../../contract/adapter.ts'
import type { UpstreamResponse } from '../../contract/http-client.ts'
import { mediaTypeOf } from '../../wire/media-type.ts'

/** Whether the answer is a stream. Its content type decides, not the request; if the content type is wrong or missing,
 *  the first bytes decide. */
export function isStreamed(response: UpstreamResponse, operation: ChatOperation): boolean {
  const type = mediaTypeOf(response.headers)
  if (type.includes('application/json')) return false
  if (type.includes('text/event-stream') || type.includes('ndjson') || type.includes('eventstream'))
    return true
  return operation.framing !== undefined && operation.framing !== 'sse' && !type.includes('json')
}
