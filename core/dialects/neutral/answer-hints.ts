// Undoes in an answer what buildRequest had to change: rewritten tool names, a JSON schema that travelled as a tool, stop sequences that could not be sent.
import type { AnswerHints, SseEvent, StreamParser } from '../../contract/dialect.ts'
import type { ChatEvent } from '../../contract/neutral.ts'
import { StopCutter } from './stop-cutter.ts'

/** The events of a whole answer. */
export function undoHints(hints: AnswerHints | undefined): (events: ChatEvent[]) => ChatEvent[] {
  if (hints === undefined) return (events) => events
  return (events) => {
    const cutter = cutterOf(hints)
    const undone = namesUndone(hints)(events)
    return cutter === undefined ? undone : [...cutter.edit(undone), ...cutter.end()]
  }
}

/** A parser whose events are undone as they come. */
export function withHints(parser: StreamParser, hints: AnswerHints | undefined): StreamParser {
  if (hints === undefined) return parser
  let edit: EventEdit | undefined
  let cutter: StopCutter | undefined
  // Made at the first event, because the hints may be filled after the parser was made.
  const undo = (events: ChatEvent[]) => {
    if (edit === undefined) {
      edit = namesUndone(hints)
      cutter = cutterOf(hints)
    }
    const undone = edit(events)
    return cutter === undefined ? undone : cutter.edit(undone)
  }
  return {
    push: (event: SseEvent) => undo(parser.push(event)),
    end: () => [...undo(parser.end()), ...(cutter?.end() ?? [])],
    get isComplete() {
      return parser.isComplete || cutter?.isCut === true
    },
  }
}

type EventEdit = (events: ChatEvent[]) => ChatEvent[]

function cutterOf({ stops }: AnswerHints): StopCutter | undefined {
  return stops === undefined ? undefined : new StopCutter(stops)
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
