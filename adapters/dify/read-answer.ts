import { isObject, UpstreamError, type ChatEvent, type JsonObject } from '#core'
import {
  closing,
  findFailureInSuccess,
  opening,
  readFailure,
  textEvents,
  unknownFailure,
} from '#adapter-kit'
import { formText, textOfOutputs, usageIn, withThinkMarks, workflowFault } from './text.ts'

/** @throws UpstreamError for a workflow that failed, or an error inside a 200 */
export function readAnswer(body: unknown): ChatEvent[] {
  const failure = findFailureInSuccess(body)
  if (failure) throw new UpstreamError(failure)
  if (!isObject(body)) throw new UpstreamError(readFailure(200, body))
  const fault = workflowFault(body)
  if (fault !== undefined) throw workflowError(fault)
  if (typeof body.answer !== 'string' && !isObject(body.data))
    throw new UpstreamError(unknownFailure(200), 'upstream')
  const text = isPaused(body) ? textOfPaused(body) : textOf(body)
  return [
    opening(body.message_id ?? body.workflow_run_id),
    ...textEvents(text),
    ...closing('stop', usageIn(body)),
  ]
}

export function workflowError(message: string): UpstreamError {
  return new UpstreamError({ status: 200, message, code: null, isKnownShape: true }, 'upstream')
}

export function pausedError(): UpstreamError {
  const message =
    "The application waits for a person's input (Human Input), which cannot be given through this gateway."
  return new UpstreamError({ status: 200, message, code: null, isKnownShape: true }, 'bad-request')
}

function isPaused({ event, data }: JsonObject): boolean {
  return event === 'workflow_paused' || (isObject(data) && data.status === 'paused')
}

/** @throws UpstreamError where nothing was said before */
function textOfPaused({ answer, data }: JsonObject): string {
  const run = isObject(data) ? data : {}
  const said = [answer, run.answer].find((value) => typeof value === 'string' && value !== '')
  const reasons = Array.isArray(run.reasons) ? run.reasons : []
  const texts = [typeof said === 'string' ? said : '', ...reasons.map(formText)]
  const text = texts.filter((part) => part !== '').join('\n\n')
  if (text === '') throw pausedError()
  return text
}

function textOf({ answer, data }: JsonObject): string {
  if (typeof answer !== 'string') return isObject(data) ? textOfOutputs(data.outputs) : ''
  const marked = withThinkMarks(answer)
  return marked === answer ? answer : marked.replace('</details>', '</think>')
}
