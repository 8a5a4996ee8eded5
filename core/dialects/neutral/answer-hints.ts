// Undoes in an answer what buildRequest had to change: renamed tools, a JSON schema that was sent as a tool or inside
// an object, stop sequences that could not be sent.
import type { AnswerHints, SseEvent, StreamParser } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { AnswerUnwrapper } from './answer-unwrapper.ts'
import { StopCutter } from './stop-cutter.ts'

/** Edits the events of a whole answer. */
export function undoHints(hints: AnswerHints | undefined): (events: ChatEvent[]) => ChatEvent[] {
  if (hints === undefined) return (events) => events
  return (events) => {
    const cutter = cutterOf(hints)
    const unwrapper = unwrapperOf(hints)
    const named = namesUndone(hints)(events)
    const undone = unwrapper === undefined ? named : [...unwrapper.edit(named), ...unwrapper.end()]
    return cutter === undefined ? undone : [...cutter.edit(undone), ...cutter.end()]
  }
}

/** Wraps a parser so that its events are edited as they come. */
export function withHints(parser: StreamParser, hints: AnswerHints | undefined): StreamParser {
  return hints === undefined ? parser : new HintedParser(parser, hints)
}

class HintedParser implements StreamParser {
  readonly #parser: StreamParser
  readonly #hints: AnswerHints
  #edit: EventEdit | undefined
  #unwrapper: AnswerUnwrapper | undefined
  #cutter: StopCutter | undefined

  constructor(parser: StreamParser, hints: AnswerHints) {
    this.#parser = parser
    this.#hints = hints
  }

  get isComplete(): boolean {
    return this.#parser.isComplete || this.#cutter?.isCut === true
  }

  push(event: SseEvent): ChatEvent[] {
    return this.#undo(this.#parser.push(event))
  }

  end(): ChatEvent[] {
    const last = this.#undo(this.#parser.end())
    const kept = this.#cut(this.#unwrapper?.end() ?? [])
    return [...last, ...kept, ...(this.#cutter?.end() ?? [])]
  }

  /** Prepared at the first event, because the hints may be filled in after the parser was created. */
  #undo(events: ChatEvent[]): ChatEvent[] {
    if (this.#edit === undefined) {
      this.#edit = namesUndone(this.#hints)
      this.#unwrapper = unwrapperOf(this.#hints)
      this.#cutter = cutterOf(this.#hints)
    }
    const named = this.#edit(events)
    return this.#cut(this.#unwrapper === undefined ? named : this.#unwrapper.edit(named))
  }

  #cut(events: ChatEvent[]): ChatEvent[] {
    return this.#cutter === undefined ? events : this.#cutter.edit(events)
  }
}

type EventEdit = (events: ChatEvent[]) => ChatEvent[]

function cutterOf({ stops }: AnswerHints): StopCutter | undefined {
  return stops === undefined ? undefined : new StopCutter(stops)
}

function unwrapperOf({ wrapped }: AnswerHints): AnswerUnwrapper | undefined {
  return wrapped === undefined ? undefined : new AnswerUnwrapper(wrapped)
}

/** One per answer. */
function namesUndone(hints: AnswerHints): EventEdit {
  if (hints.toolNames === undefined && hints.jsonTool === undefined) return (events) => events
  const jsonIndexes = new Set<number>()
  return (events) => events.flatMap((event) => undoOne(event, hints, jsonIndexes))
}

function undoOne(event: ChatEvent, hints: AnswerHints, jsonIndexes: Set<number>): ChatEvent[] {
  switch (event.type) {
    case 'tool_start': {
      if (event.name === hints.jsonTool) {
        jsonIndexes.add(event.index)
        return []
      }
      const name = hints.toolNames?.get(event.name)
      return [name === undefined ? event : { ...event, name }]
    }
    case 'tool_args':
      return jsonIndexes.has(event.index) ? [{ type: 'text', delta: event.delta }] : [event]
    case 'tool_end':
      return jsonIndexes.has(event.index) ? [] : [event]
    case 'finish':
      return jsonIndexes.size > 0 && event.reason === 'tool_calls'
        ? [{ ...event, reason: 'stop' }]
        : [event]
    default:
      return [event]
  }
}
