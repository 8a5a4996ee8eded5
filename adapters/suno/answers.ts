import {
  isObject,
  UpstreamError,
  type ClientError,
  type JsonObject,
  type RawFailure,
  type TaskAnswer,
} from '#core'
import { readFailure } from '#adapter-kit'

/** @throws UpstreamError: everything but the code `success` is an error, also inside a 200 */
export function readSubmitAnswer(body: unknown): TaskAnswer {
  const { data } = successOf(body)
  if (typeof data !== 'string' || data === '') throw refusal(null, 'The service named no task.')
  return { isAccepted: true, taskId: data, body }
}

/** @throws UpstreamError */
export function successOf(body: unknown): JsonObject {
  if (!isObject(body)) throw refusal(null, 'The answer of the service could not be read.')
  const { code, message } = body
  if (code === 'success') return body
  throw refusal(
    typeof code === 'string' || typeof code === 'number' ? code : null,
    typeof message === 'string' && message !== '' ? message : 'The service gave no reason.',
  )
}

function refusal(code: string | number | null, message: string): UpstreamError {
  return new UpstreamError({ status: 200, message, code, isKnownShape: true }, 'upstream')
}

/** Clients tell by this code that the upstream's status is what they read. */
export function readSunoError(status: number, body: unknown): RawFailure {
  return { ...readFailure(status, body), code: 'fail_to_fetch_task' }
}

const clientWords: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    insufficient_user_quota: 'quota_not_enough',
    pre_consume_token_quota_failed: 'quota_not_enough',
  }),
)

export function writeSunoError({ status, code, message }: ClientError) {
  const word = clientWords.get(String(code)) ?? code ?? 'error'
  return { status, body: { code: String(word), message, data: null } }
}
