// Undoes in an answer what buildRequest had to change: rewritten tool names, and a JSON schema that travelled as a tool.
import type { AnswerHints, ChatEvent, SseEvent, StreamParser } from '../contract/dialect.ts'

export type EventEdit = (events: ChatEvent[]) => ChatEvent[]

/** One per answer. */
export function undoHints(hints: AnswerHints | undefined): EventEdit {
  if (hints === undefined || (hints.toolNames === undefined && hints.jsonTool === undefined)) {
    return (events) => events
  }
  const jsonIndexes = new Set<number>()
  return (events) => events.flatMap((event) => undoOne(event, hints, jsonIndexes))
}

/** A parser whose events are undone as they come. */
export function withHints(parser: StreamParser, hints: AnswerHints | undefined): StreamParser {
  if (hints === undefined) return parser
  let edit: EventEdit | undefined
  // Made at the first event, because the hints may be filled after the parser was made.
  const undo = (events: ChatEvent[]) => (edit ??= undoHints(hints))(events)
  return {
    push: (event: SseEvent) => undo(parser.push(event)),
    end: () => undo(parser.end()),
    get isComplete() {
      return parser.isComplete
    },
  }
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
