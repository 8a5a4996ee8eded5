import type { ChannelView } from '../contract/adapter.ts'
import type { HttpClient, HttpOptions } from '../contract/http-client.ts'
import type { JsonObject } from '../contract/json.ts'
import { askJson } from './ask-json.ts'
import { joinUrl } from './openai/join-url.ts'

/** A GET with the channel's key as a bearer key, e.g. for a balance or a list of models. `path` is appended to the channel's address; a whole
 *  URL is called as it is. A channel without a key sends no `authorization`.
 *  @throws UpstreamError unless the answer is a JSON object with a status of success */
export function askWithKey(
  http: HttpClient,
  { baseUrl, key }: Pick<ChannelView, 'baseUrl' | 'key'>,
  path: string,
  options: HttpOptions,
): Promise<JsonObject> {
  const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` }
  return askJson(http, { url: joinUrl(baseUrl, path), headers }, options)
}
