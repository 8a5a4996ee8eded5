import {
  isObject,
  UpstreamError,
  type ChatEvent,
  type JsonObject,
  type OwnStreamReader,
  type SseEvent,
} from '#core'
import {
  closing,
  opening,
  parsedEvent,
  readFailure,
  reasoningEvents,
  textEvents,
} from '#adapter-kit'
import type { AppKind } from './app-kind.ts'
import { pausedError, workflowError } from './read-answer.ts'
import { formText, textOfOutputs, usageIn, withThinkMarks, workflowFault } from './text.ts'

/** The kind of an event stands in its data. Those of nodes, files and an agent's steps show nothing. Source: docs.dify.ai,
 *  guides "SSE Streaming", "New Agent" and "Human Input Flow". */
export class StreamReader implements OwnStreamReader {
  isComplete = false
  readonly #kind: AppKind
  #isStarted = false
  #hasText = false
  #isReplaced = false
  #isAgent = false

  constructor(kind: AppKind) {
    this.#kind = kind
  }

  push(event: SseEvent): ChatEvent[] {
    // Pings are an event without data.
    if (event.data === '') return []
    const data = parsedEvent(event)
    switch (data.event) {
      case 'agent_message':
        this.#isAgent = true
        return this.#answer(data)
      case 'message':
        // After its pieces, a new agent's whole answer comes once more.
        return this.#isAgent && this.#hasText ? [] : this.#answer(data)
      case 'reasoning_chunk':
        return this.#reasoning(data)
      case 'human_input_required':
        return this.#form(data)
      case 'workflow_paused':
        return this.#pause(data)
      case 'message_replace':
        return this.#replace(data)
      case 'text_chunk':
        return this.#text(data, isObject(data.data) ? data.data.text : '')
      case 'message_end':
        return this.#finish(data)
      case 'workflow_finished':
        return this.#finishWorkflow(data)
      case 'error':
        throw new UpstreamError(readFailure(200, data))
      default:
        return []
    }
  }

  end(): ChatEvent[] {
    return []
  }

  #answer(data: JsonObject): ChatEvent[] {
    return this.#text(data, typeof data.answer === 'string' ? withThinkMarks(data.answer) : '')
  }

  #reasoning(data: JsonObject): ChatEvent[] {
    const part = isObject(data.data) ? data.data : {}
    const events = reasoningEvents(part.reasoning)
    return events.length === 0 ? [] : [...this.#start({ ...data, ...part }), ...events]
  }

  #form(data: JsonObject): ChatEvent[] {
    const text = formText(data.data)
    return this.#text(data, this.#hasText && text !== '' ? `\n\n${text}` : text)
  }

  /** The stream ends here; a run that goes on later has a stream of its own. */
  #pause(data: JsonObject): ChatEvent[] {
    if (!this.#hasText) throw pausedError()
    return this.#finish(data)
  }

  #text(data: JsonObject, text: unknown): ChatEvent[] {
    const events = textEvents(text)
    if (events.length === 0) return []
    this.#hasText = true
    return [...this.#start(data), ...events]
  }

  /** Moderation puts a text in the place of all that was said. What was sent cannot be taken back, so the text follows it. */
  #replace(data: JsonObject): ChatEvent[] {
    this.#isReplaced = true
    const text = typeof data.answer === 'string' ? data.answer : ''
    return this.#text(data, this.#hasText ? `\n\n${text}` : text)
  }

  #start({ message_id, workflow_run_id }: JsonObject): ChatEvent[] {
    if (this.#isStarted) return []
    this.#isStarted = true
    return [opening(message_id ?? workflow_run_id)]
  }

  #finish(data: JsonObject): ChatEvent[] {
    this.isComplete = true
    return [...this.#start(data), ...closing(this.#isReplaced ? 'filtered' : 'stop', usageIn(data))]
  }

  /** In a chatflow, the message has its own end event. */
  #finishWorkflow(data: JsonObject): ChatEvent[] {
    const fault = workflowFault(data)
    if (fault !== undefined) throw workflowError(fault)
    if (this.#kind !== 'workflow') return []
    const outputs = isObject(data.data) ? data.data.outputs : undefined
    const rest = this.#hasText ? [] : this.#text(data, textOfOutputs(outputs))
    return [...rest, ...this.#finish(data)]
  }
}
