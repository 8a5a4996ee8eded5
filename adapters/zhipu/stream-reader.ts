import {
  isObject,
  UpstreamError,
  type ChatEvent,
  type OwnStreamReader,
  type SseEvent,
  type Usage,
} from '#core'
import {
  closing,
  findFailureInSuccess,
  opening,
  parseLoosely,
  readFailure,
  readOpenaiUsage,
  textEvents,
} from '#adapter-kit'

/** Events are named; their data is the text itself, where a space behind the colon is a space of the text (unconfirmed). */
export class StreamReader implements OwnStreamReader {
  isComplete = false
  #isStarted = false

  push(event: SseEvent): ChatEvent[] {
    switch (event.event) {
      case 'add':
        return [...this.#start(event), ...textEvents(textOf(event))]
      case 'finish':
        this.isComplete = true
        return [
          ...this.#start(event),
          ...textEvents(textOf(event)),
          ...closing('stop', usageOf(event)),
        ]
      case 'interrupted':
        this.isComplete = true
        return [...this.#start(event), ...closing('filtered', usageOf(event))]
      case 'error':
        throw new UpstreamError(readFailure(200, parseLoosely(textOf(event))))
      case undefined:
        return unnamed(event)
      default:
        return []
    }
  }

  end(): ChatEvent[] {
    return []
  }

  #start(event: SseEvent): ChatEvent[] {
    if (this.#isStarted) return []
    this.#isStarted = true
    return [opening(linesOf(event, 'id:')[0]?.trim())]
  }
}

/** A refusal in the place of events.
 *  @throws UpstreamError */
function unnamed({ data }: SseEvent): ChatEvent[] {
  const failure = findFailureInSuccess(parseLoosely(data))
  if (failure) throw new UpstreamError(failure)
  return []
}

function linesOf({ raw }: SseEvent, field: string): string[] {
  return raw
    .split(/\r\n|\n|\r/)
    .flatMap((line) => (line.startsWith(field) ? [line.slice(field.length)] : []))
}

function textOf(event: SseEvent): string {
  return linesOf(event, 'data:').join('\n')
}

function usageOf(event: SseEvent): Usage | undefined {
  const meta = parseLoosely(linesOf(event, 'meta:')[0] ?? '')
  return isObject(meta) ? readOpenaiUsage(meta.usage) : undefined
}
