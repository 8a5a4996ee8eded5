import type { HttpClient, HttpOptions, UpstreamRequest } from '../contract/http-client.ts'
import { UpstreamError } from '../contract/errors.ts'
import { isObject, type JsonObject } from '../contract/json.ts'
import { readFailure, unknownFailure } from '../upstream-failures/read-failure-body.ts'

/** A side call of an adapter (balance, model list, token, task state) whose answer is a JSON object.
 *  @throws UpstreamError for every other answer */
export async function askJson(
  http: HttpClient,
  request: Omit<UpstreamRequest, 'method'> & { method?: string },
  options: HttpOptions,
): Promise<JsonObject> {
  const { status, body } = await http.json(
    { ...request, method: request.method ?? (request.body === undefined ? 'GET' : 'POST') },
    options,
  )
  if (status < 200 || status >= 300) throw new UpstreamError(readFailure(status, body))
  if (!isObject(body)) throw new UpstreamError(unknownFailure(status), 'upstream')
  return body
}
