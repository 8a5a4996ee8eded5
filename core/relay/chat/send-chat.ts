import type { UpstreamRequest, UpstreamResponse } from '../../contract/adapter.ts'
import type { ChatDialect } from '../../contract/dialect.ts'
import { UpstreamError } from '../../contract/errors.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { codecs } from '../../dialects/index.ts'
import { parseLoosely, send, type Attempt } from '../attempt/attempt.ts'

const FIELD = 'stream_options'

/** How OpenAI, Anthropic and Gemini refuse a thought that another account or another provider sealed, or that is missing where they demand one. */
const SEAL =
  /encrypted[ _]content|signature\W+in\W+thinking|expected\W+thinking|thought[ _]?signature/i

/** Sends a chat call. Two refusals are cured by asking once more. We ask for usage by a field that older servers refuse; without it core counts.
 *  And a conversation may hold sealed thoughts of whoever answered before; it goes on without them.
 *  @throws UpstreamError, net errors */
export async function sendChat(
  attempt: Attempt,
  request: UpstreamRequest,
  dialect?: ChatDialect,
): Promise<UpstreamResponse> {
  try {
    return await send(attempt, request)
  } catch (error) {
    const cure = cureOf(error, dialect)
    const cured = cure && edited(request, cure)
    if (cured === undefined || attempt.drain.hasBegun) throw error
    return send(attempt, cured)
  }
}

function cureOf(
  error: unknown,
  dialect: ChatDialect | undefined,
): ((body: JsonObject) => JsonObject) | undefined {
  if (!(error instanceof UpstreamError)) return undefined
  const { status, message, param } = error.failure
  if (status !== 400 && status !== 422) return undefined
  if (`${param ?? ''} ${message}`.includes(FIELD)) return withoutField
  return dialect !== undefined && SEAL.test(message) ? codecs[dialect].forgetThoughts : undefined
}

function withoutField(body: JsonObject): JsonObject {
  if (body[FIELD] === undefined) return body
  const { [FIELD]: _refused, ...rest } = body
  return rest
}

/** Undefined when the edit finds nothing to change. */
function edited(
  request: UpstreamRequest,
  edit: (body: JsonObject) => JsonObject,
): UpstreamRequest | undefined {
  const { body } = request
  if (body === undefined || Array.isArray(body)) return undefined
  const parsed = parseLoosely(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'))
  if (!isObject(parsed)) return undefined
  const changed = edit(parsed)
  return changed === parsed ? undefined : { ...request, body: JSON.stringify(changed) }
}
