import type { Part } from '../../contract/neutral.ts'
import type { Fields } from './fields.ts'
import { requestInvalid } from './request-errors.ts'

/** Content that is a string, or a list of what the dialect calls parts or blocks.
 *  @throws relay.invalid_request */
export function textOrItems(
  holder: Fields,
  key: string,
  items: { of: 'parts' | 'blocks'; parse: (item: Fields) => Part[] },
): Part[] {
  const content = holder.body[key]
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  if (!Array.isArray(content))
    throw requestInvalid(holder.name(key), `must be a string or a list of ${items.of}`)
  return holder.items(key).flatMap(items.parse)
}
