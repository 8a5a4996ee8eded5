import {
  isObject,
  UpstreamError,
  type ChatEvent,
  type FinishReason,
  type JsonObject,
  type Usage,
} from '#core'
import {
  closing,
  findFailureInSuccess,
  newCallId,
  opening,
  readFailure,
  readOpenaiUsage,
  textEvents,
  tokens,
  unknownFailure,
  wholeCall,
} from '#adapter-kit'

/** @throws UpstreamError for an error inside a 200, and for what is no answer */
export function readAnswer(body: unknown): ChatEvent[] {
  const answer = checked(body)
  if (typeof answer.result !== 'string' && !isObject(answer.function_call))
    throw new UpstreamError(unknownFailure(200), 'upstream')
  return [
    opening(answer.id, answer.created),
    ...textEvents(answer.result),
    ...callEvents(answer),
    ...closing(reasonOf(answer), usageIn(answer)),
  ]
}

/** An answer, or one event of a stream.
 *  @throws UpstreamError for an error or a refusal in its place */
export function checked(body: unknown): JsonObject {
  const failure = findFailureInSuccess(body)
  if (failure) throw new UpstreamError(failure)
  if (!isObject(body)) throw new UpstreamError(readFailure(200, body))
  // The input was judged unsafe; clients should drop the conversation. Source: cloud.baidu.com/doc/WENXINWORKSHOP, ERNIE chat, `need_clear_history`.
  if (body.need_clear_history === true && (body.result ?? '') === '')
    throw new UpstreamError(
      {
        status: 200,
        message: 'The conversation was refused by moderation.',
        code: null,
        isKnownShape: true,
      },
      'content',
    )
  return body
}

/** An answer has at most one call, in one piece and without an id. */
export function callEvents({ function_call: call }: JsonObject): ChatEvent[] {
  if (!isObject(call) || typeof call.name !== 'string') return []
  const text = typeof call.arguments === 'string' ? call.arguments : ''
  return wholeCall(0, { id: newCallId(), name: call.name, arguments: text })
}

export function reasonOf(answer: JsonObject): FinishReason {
  if (isObject(answer.function_call) || answer.finish_reason === 'function_call')
    return 'tool_calls'
  if (answer.is_truncated === true || answer.finish_reason === 'length') return 'length'
  return answer.finish_reason === 'content_filter' ? 'filtered' : 'stop'
}

/** Some models leave the completion's count out of the total. */
export function usageIn({ usage }: JsonObject): Usage | undefined {
  const read = readOpenaiUsage(usage)
  if (!read || !isObject(usage) || read.output > 0) return read
  return { ...read, output: Math.max(0, tokens(usage.total_tokens) - read.input) }
}
