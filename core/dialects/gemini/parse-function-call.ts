// A function call of Gemini as a tool call of the neutral form: in the answer as events, in a conversation that is sent back as a part.
import type { ChatEvent, OpaqueState, Part } from '../../contract/neutral.ts'
import { asText, type JsonObject } from '../../contract/json.ts'
import type { Fields } from '../neutral/fields.ts'
import { newCallId } from '../neutral/tool-names.ts'
import type { ConversationCalls } from './call-ids.ts'
import { insideCamel } from './fields.ts'

/** A call comes whole, in one part. */
export function functionCallEvents(
  call: JsonObject,
  seal: OpaqueState | undefined,
  state: { calls: number },
  choice: number | undefined,
): ChatEvent[] {
  const index = state.calls
  state.calls += 1
  return [
    {
      type: 'tool_start',
      index,
      id: asText(call.id) || newCallId(),
      name: asText(call.name),
      choice,
      ...(seal === undefined ? {} : { state: seal }),
    },
    { type: 'tool_args', index, delta: JSON.stringify(call.args ?? {}), choice },
    { type: 'tool_end', index, choice },
  ]
}

export function functionCallPart(
  part: Fields,
  calls: ConversationCalls,
  sealed: { state?: OpaqueState },
): Part {
  const call = insideCamel(part, 'functionCall') ?? part
  const name = call.requiredText('name')
  const args = JSON.stringify(call.object('args') ?? {})
  return {
    kind: 'tool_call',
    id: calls.idOfCall(call.text('id'), name, args),
    name,
    arguments: args,
    ...sealed,
  }
}
