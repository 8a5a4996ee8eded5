import { isObject, objectsOf, UpstreamError, type ChatEvent, type JsonObject } from '#core'

/** PaLM reports no usage and no finish reason.
 *  @throws UpstreamError for a filtered prompt */
export function fromPalm(body: unknown): ChatEvent[] {
  const answer: JsonObject = isObject(body) ? body : {}
  const candidates = objectsOf(answer['candidates'])
  if (candidates.length === 0) throw refused(objectsOf(answer['filters']))
  return [
    { type: 'start' },
    ...candidates.flatMap(({ content }, choice): ChatEvent[] => [
      { type: 'text', delta: typeof content === 'string' ? content : '', choice },
      { type: 'finish', reason: 'stop', choice },
    ]),
  ]
}

function refused(filters: readonly JsonObject[]): UpstreamError {
  const words = filters.map(({ reason, message }) => [reason, message].filter(Boolean).join(': '))
  return filters.length === 0
    ? new UpstreamError(
        { status: 200, message: 'The answer is empty.', code: null, isKnownShape: true },
        'upstream',
      )
    : new UpstreamError(
        { status: 200, message: words.join('; '), code: 'content_filter', isKnownShape: true },
        'content',
      )
}
