import { isObject, type JsonObject } from '../../contract/json.ts'
import type { CacheMark } from '../../contract/neutral.ts'

/** The mark of Anthropic's cache, which clients of the chat dialect send as an extension. */
export function cacheMark(body: JsonObject): { cache?: CacheMark } {
  return isObject(body.cache_control) ? { cache: { control: body.cache_control } } : {}
}
