import type { Adapter } from '../../contract/adapter.ts'
import { UpstreamError } from '../../contract/errors.ts'
import { isObject } from '../../contract/json.ts'
import { askWithKey } from '../ask-with-key.ts'
import { unknownFailure } from '../../upstream-failures/read-failure-body.ts'

/** `fetchModels` of an upstream that lists its models as OpenAI does. */
export function openaiModelList(
  path = '/v1/models',
  keyOf: (key: string) => string = (key) => key,
): NonNullable<Adapter['fetchModels']> {
  return async (channel, http, options) => {
    const { baseUrl, key } = channel
    const body = await askWithKey(http, { baseUrl, key: keyOf(key) }, path, options)
    return namesIn(body.data, 'id')
  }
}

/** The texts under `key` of a list of objects.
 *  @throws UpstreamError when it is no list */
export function namesIn(list: unknown, key: string): string[] {
  if (!Array.isArray(list)) throw new UpstreamError(unknownFailure(200), 'upstream')
  return list.flatMap((entry: unknown) => {
    const name = isObject(entry) ? entry[key] : undefined
    return typeof name === 'string' ? [name] : []
  })
}
