import type { Body } from '../../contract/adapter.ts'
import { isObject } from '../../contract/json.ts'
import { unsupportedParameter } from '../neutral/request-errors.ts'

/**
 * For upstreams of the dialect that keep no conversation: one that does not know the field answers the last turn without those before it.
 * @throws request.unsupported_parameter for a thread
 */
export function refuseThread(body: Body): Body {
  if (isObject(body['thread'])) throw unsupportedParameter('thread', 'is not kept by this upstream')
  return body
}
