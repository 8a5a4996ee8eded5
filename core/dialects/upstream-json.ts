import type { HttpClient, HttpOptions, UpstreamRequest } from '../contract/adapter.ts'
import { UpstreamError } from '../contract/errors.ts'
import { isObject, type JsonObject } from '../contract/json.ts'
import { findFailureInSuccess, readFailure } from './failure.ts'

/** A JSON object from an upstream, for lists of models, balances and tokens.
 *  @throws UpstreamError for any other status or answer */
export async function upstreamJson(
  http: HttpClient,
  request: UpstreamRequest,
  options: HttpOptions,
): Promise<JsonObject> {
  const { status, body } = await http.json(request, options)
  if (status < 200 || status > 299) throw new UpstreamError(readFailure(status, body))
  const failure = findFailureInSuccess(body)
  if (failure) throw new UpstreamError(failure)
  if (isObject(body)) return body
  throw new UpstreamError({
    status,
    message: 'The answer of the upstream could not be read.',
    code: 'bad_response_body',
    isKnownShape: true,
  })
}
