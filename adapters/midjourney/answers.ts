// The proxy's answers to a submit, and its failures.
import {
  isObject,
  UpstreamError,
  type ClientError,
  type JsonObject,
  type RawFailure,
  type TaskAnswer,
  type TaskSubmit,
} from '#core'
import { amountOf, readFailure } from '#adapter-kit'
import { freeActions } from './actions.ts'

// Codes by ReturnCode of the proxies; 30 is of gateways of this family.
const accepted = 1
const noAccount = 3
const exists = 21
const queued = 22
const saturated = 30

/** @throws UpstreamError for an answer that is none, and for code 30 */
export function readSubmitAnswer(body: unknown, submit: TaskSubmit): TaskAnswer {
  const code = isObject(body) ? amountOf(body['code']) : NaN
  if (!isObject(body) || !Number.isInteger(code)) throw unreadable()
  const reason = typeof body['description'] === 'string' ? body['description'] : ''
  if (code === saturated) throw new UpstreamError(failure(429, reason), 'throttled')
  if (code !== accepted && code !== exists && code !== queued)
    return {
      isAccepted: false,
      body,
      code,
      reason: reason || `code ${code}`,
      ...(code === noAccount ? { channelFault: 'No available account instance' } : {}),
    }
  const isDialog = code === exists && asksForModal(body, submit)
  return {
    isAccepted: true,
    taskId: taskIdOf(body, submit),
    code,
    // Code 21 tells the client that a modal must follow, which is then charged.
    body: isDialog ? body : { ...body, code: accepted },
    isFree: isDialog,
    report: firstReport(body, code, submit),
  }
}

/** If an account has its remix mode on, variations, pans and rerolls open a dialog too. Source:
 *  trueai-org/midjourney-proxy, TaskService.SubmitAction. */
function asksForModal({ properties }: JsonObject, { action }: TaskSubmit): boolean {
  return freeActions.has(action) || (isObject(properties) && properties['remix'] === true)
}

/** An upload has links for a result, and no task to ask for. */
function taskIdOf({ result }: JsonObject, { action }: TaskSubmit): string {
  if (action === 'UPLOAD' && Array.isArray(result)) return ''
  if (typeof result === 'number') return String(result)
  if (typeof result !== 'string' || result === '') throw unreadable()
  return result
}

function firstReport(body: JsonObject, code: number, submit: TaskSubmit) {
  const { description, properties, result } = body
  const { state, botType } = submit.body
  const data = { description, state, botType }
  if (submit.action === 'UPLOAD')
    return {
      state: 'succeeded' as const,
      status: 'SUCCESS',
      data: { ...data, properties: { links: result } },
    }
  const reported = code === exists && isObject(properties) ? properties : {}
  const imageUrl = typeof reported['imageUrl'] === 'string' ? reported['imageUrl'] : undefined
  const status = typeof reported['status'] === 'string' ? reported['status'] : undefined
  return {
    state: status === 'SUCCESS' && imageUrl ? ('succeeded' as const) : ('open' as const),
    ...(status === undefined ? {} : { status }),
    data: { ...data, imageUrl },
  }
}

/** Another gateway of this family fails with `{description, type, code}`. */
export function readMidjourneyError(status: number, body: unknown): RawFailure {
  if (isObject(body) && typeof body['description'] === 'string')
    return failure(status, body['description'])
  return readFailure(status, body)
}

function failure(status: number, message: string): RawFailure {
  return { status, message, code: null, isKnownShape: true }
}

function unreadable(): UpstreamError {
  return new UpstreamError(failure(200, 'The answer of the proxy could not be read.'), 'upstream')
}

const clientWords: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    insufficient_user_quota: 'quota_not_enough',
    pre_consume_token_quota_failed: 'quota_not_enough',
    invalid_request: 'bind_request_body_failed',
  }),
)

/** `<text> <result>`: the words that clients know have an empty result; other texts are for people. */
export function writeMidjourneyError(error: ClientError): { status: number; body: JsonObject } {
  const code = error.status === 429 ? saturated : 4
  const word = clientWords.get(String(error.code))
  if (word !== undefined) return envelope(400, `${word} `, code)
  const text = error.message.replace(/ \(request id: \w*\)$/, '')
  const isWord = /^[a-z0-9_]+(:.*)?$/.test(text)
  return envelope(error.status, isWord ? `${text} ` : error.message, code)
}

function envelope(status: number, description: string, code: number) {
  return { status, body: { description, type: 'upstream_error', code } }
}
