import { isObject } from '../../../contract/json.ts'
import type { RelayCall } from '../../call/relay-call.ts'

const ONE_HOUR_MS = 3_600_000
/** The longest window in hours; OpenAI's is 8. */
const LONGEST_WINDOW = 24

/** How long a background response is followed: an hour, and longer by what its client lets it take (OpenAI's
 *  `background_options.completion_window`, such as `8h`). */
export function completionWindowMs({ body }: Pick<RelayCall, 'body'>): number {
  const options = body?.['background_options']
  const window = isObject(options) ? options['completion_window'] : undefined
  const hours = typeof window === 'string' ? /^(\d{1,2})h$/.exec(window)?.[1] : undefined
  return (1 + Math.min(Number(hours ?? 0), LONGEST_WINDOW)) * ONE_HOUR_MS
}
