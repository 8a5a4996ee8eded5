import {
  isObject,
  objectsOf,
  UpstreamError,
  type ChatEvent,
  type JsonObject,
  type RawFailure,
  type Usage,
} from '#core'
import {
  closing,
  findFailureInSuccess,
  opening,
  readFailure,
  reasoningEvents,
  textEvents,
  tokens,
  usageOf,
} from '#adapter-kit'

/** Reads the finished chat and its messages, as the transport put them together.
 *  @throws UpstreamError for an error inside a 200 */
export function readAnswer(body: unknown): ChatEvent[] {
  const failure = findFailureInSuccess(body)
  if (failure) throw new UpstreamError(failure)
  if (!isObject(body) || !isObject(body.data)) throw new UpstreamError(readFailure(200, body))
  const messages = objectsOf(body.messages)
  const answers = messages.filter(({ type }) => type === 'answer')
  return [
    startOf(body.data),
    ...answers.flatMap((message) => reasoningEvents(message.reasoning_content)),
    ...textEvents(answers.map(({ content }) => String(content)).join('\n')),
    ...closing('stop', usageIn(body.data)),
  ]
}

export function startOf({ id, created_at: created }: JsonObject): ChatEvent {
  return opening(id, created)
}

export function usageIn({ usage }: JsonObject): Usage | undefined {
  if (!isObject(usage)) return undefined
  const input = tokens(usage.input_count)
  const output = tokens(usage.output_count)
  return input + output === 0 ? undefined : usageOf({ input, output })
}

/** Why a chat ended without being completed. */
export function chatFailure({ last_error: error, status }: JsonObject): RawFailure {
  const { code, msg } = isObject(error) ? error : {}
  return {
    status: 200,
    message: typeof msg === 'string' && msg !== '' ? msg : `The chat ended as ${String(status)}.`,
    code: typeof code === 'number' && code !== 0 ? code : null,
    isKnownShape: true,
  }
}
