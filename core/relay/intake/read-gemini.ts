import type { FastifyRequest } from 'fastify'
import type { JsonObject } from '../../contract/json.ts'
import { withGeminiLists } from './gemini-lists.ts'
import { refusePairs } from './known-fields.ts'
import { bytesOf, readObject } from './read-input.ts'
import { relayErrors } from '../call/relay-errors.ts'

/** Reads a body whose model is in the path. Some clients repeat the model in the body: the same name is removed,
 *  another one is refused, because an upstream that reads the body would serve a model that was not priced. A single
 *  object where the API has a list becomes that list.
 *  @throws relay.invalid_request, request.malformed_json */
export function readGemini(
  request: FastifyRequest,
  model: string,
): { body: JsonObject; bytes: Buffer } {
  const bytes = bytesOf(request)
  const sent = readObject(bytes)
  refusePairs(sent)
  const body = withoutModel(withGeminiLists(sent), model)
  return { body, bytes: body === sent ? bytes : Buffer.from(JSON.stringify(body)) }
}

function withoutModel(body: JsonObject, model: string): JsonObject {
  if (!Object.hasOwn(body, 'model')) return body
  const { model: named, ...rest } = body
  if (named !== model && named !== `models/${model}`)
    throw relayErrors.invalid(
      { reason: 'model must be the model of the path, or be left out' },
      { field: 'model' },
    )
  return rest
}
