import { isObject, UpstreamError, type ChatEvent } from '#core'
import {
  closing,
  findFailureInSuccess,
  opening,
  readFailure,
  readOpenaiUsage,
  textEvents,
} from '#adapter-kit'

/** @throws UpstreamError for an error inside a 200 */
export function readAnswer(body: unknown): ChatEvent[] {
  const failure = findFailureInSuccess(body)
  if (failure) throw new UpstreamError(failure)
  if (!isObject(body) || body.success === false || !isObject(body.data))
    throw new UpstreamError(readFailure(200, body))
  const { task_id: id, choices, usage } = body.data
  const texts = Array.isArray(choices) ? choices.map(contentOf) : []
  return [opening(id), ...textEvents(texts.join('')), ...closing('stop', readOpenaiUsage(usage))]
}

/** The text stands in quotes, often behind a space. */
function contentOf(choice: unknown): string {
  const content = isObject(choice) && typeof choice.content === 'string' ? choice.content : ''
  const quoted = /^\s*"\s?([\s\S]*)"\s*$/.exec(content)
  return quoted?.[1] ?? content
}
