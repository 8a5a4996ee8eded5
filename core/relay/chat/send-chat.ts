import type { UpstreamRequest, UpstreamResponse } from '../../contract/http-client.ts'
import type { ChatDialect } from '../../contract/dialect.ts'
import { UpstreamError } from '../../contract/errors.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { codecs } from '../../dialects/index.ts'
import { send, type Attempt } from '../attempt/attempt.ts'
import { parseLoosely } from '../../wire/parse-loosely.ts'

const FIELD = 'stream_options'

/** Matches the refusals by OpenAI, Anthropic and Gemini of a reasoning part that another account or provider has
 *  signed, or whose signature is missing. */
const SEAL =
  /encrypted[ _]content|signature\W+in\W+thinking|expected\W+thinking|thought[ _]?signature/i

/** Sends a chat call, and sends it once more without what the upstream refused in two cases: older servers refuse the
 *  field that asks for usage (core then counts by itself), and providers refuse signed reasoning that another provider
 *  or account wrote earlier in the conversation.
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

/** Undefined if the edit changes nothing. */
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
