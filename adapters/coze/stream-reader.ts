import {
  UpstreamError,
  type ChatEvent,
  type JsonObject,
  type OwnStreamReader,
  type SseEvent,
} from '#core'
import { closing, parsedEvent, readFailure, reasoningEvents, textEvents } from '#adapter-kit'
import { chatFailure, startOf, usageIn } from './read-answer.ts'

/** Messages that are completed repeat their deltas and are left out, like every event that is not named here. */
export class StreamReader implements OwnStreamReader {
  isComplete = false
  #isStarted = false

  push(event: SseEvent): ChatEvent[] {
    switch (event.event) {
      case 'conversation.chat.created':
        return this.#start(parsedEvent(event))
      case 'conversation.message.delta':
        return this.#delta(parsedEvent(event))
      case 'conversation.chat.completed':
        return this.#finish(parsedEvent(event))
      case 'conversation.chat.failed':
      case 'conversation.chat.requires_action':
        throw new UpstreamError(chatFailure(parsedEvent(event)))
      case 'error':
        throw new UpstreamError(readFailure(200, parsedEvent(event)))
      default:
        return []
    }
  }

  end(): ChatEvent[] {
    return []
  }

  #start(chat: JsonObject): ChatEvent[] {
    if (this.#isStarted) return []
    this.#isStarted = true
    return [startOf(chat)]
  }

  #delta(message: JsonObject): ChatEvent[] {
    if (message.type !== 'answer') return []
    return [
      ...this.#start({ id: message.chat_id }),
      ...reasoningEvents(message.reasoning_content),
      ...textEvents(message.content),
    ]
  }

  #finish(chat: JsonObject): ChatEvent[] {
    this.isComplete = true
    return [...this.#start(chat), ...closing('stop', usageIn(chat))]
  }
}
