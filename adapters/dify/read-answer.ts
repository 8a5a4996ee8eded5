import { isObject, UpstreamError, type ChatEvent, type JsonObject } from '#core'
import {
  closing,
  findFailureInSuccess,
  readFailure,
  textEvents,
  unknownFailure,
} from '#adapter-kit'
import { textOfOutputs, usageIn, withThinkMarks, workflowFault } from './text.ts'

/** @throws UpstreamError for a workflow that failed, or an error inside a 200 */
export function readAnswer(body: unknown): ChatEvent[] {
  const failure = findFailureInSuccess(body)
  if (failure) throw new UpstreamError(failure)
  if (!isObject(body)) throw new UpstreamError(readFailure(200, body))
  const fault = workflowFault(body)
  if (fault !== undefined) throw workflowError(fault)
  if (typeof body.answer !== 'string' && !isObject(body.data))
    throw new UpstreamError(unknownFailure(200), 'upstream')
  const id = body.message_id ?? body.workflow_run_id
  return [
    { type: 'start', ...(typeof id === 'string' ? { id } : {}) },
    ...textEvents(textOf(body)),
    ...closing('stop', usageIn(body)),
  ]
}

export function workflowError(message: string): UpstreamError {
  return new UpstreamError({ status: 200, message, code: null, isKnownShape: true }, 'upstream')
}

function textOf({ answer, data }: JsonObject): string {
  if (typeof answer !== 'string') return isObject(data) ? textOfOutputs(data.outputs) : ''
  const marked = withThinkMarks(answer)
  return marked === answer ? answer : marked.replace('</details>', '</think>')
}
