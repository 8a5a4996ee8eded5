// The instructions for the model that a channel's setting has (`system_prompt`).
import type { AttemptContext, Body } from '../../../contract/adapter.ts'
import type { SseEvent } from '../../../contract/dialect.ts'
import { isObject, type JsonObject } from '../../../contract/json.ts'
import type { ChatRequest } from '../../../contract/neutral.ts'
import {
  type Instructions,
  requestWithInstructions,
  takesInstructions,
  withInstructions,
  withoutInstructions,
} from '../../../dialects/instructions.ts'
import type { RelayCall } from '../../call/relay-call.ts'
import { editData } from '../stream-pipeline.ts'

type Call = Pick<RelayCall, 'operation' | 'dialect'>
type Context = Pick<AttemptContext, 'channel'>

/** The client's body with them; the same object if nothing changes. */
export function withChannelInstructions(body: Body, call: Call, context: Context): Body {
  const instructions = instructionsFor(call, context)
  return instructions ? withInstructions(body, call.dialect, instructions) : body
}

/** The neutral request with them; the same object if nothing changes. */
export function channelRequest(request: ChatRequest, call: Call, context: Context): ChatRequest {
  const instructions = instructionsFor(call, context)
  return instructions ? requestWithInstructions(request, instructions) : request
}

function instructionsFor({ operation }: Call, context: Context): Instructions | undefined {
  const text = promptOf(context)
  if (text === undefined || !takesInstructions(operation)) return undefined
  return { text, isAlways: context.channel.setting['system_prompt_override'] === true }
}

function promptOf({ channel: { setting } }: Context): string | undefined {
  const text = setting['system_prompt']
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

/** Takes the instructions out of what is passed on to a client of the Responses API, whose providers repeat them. */
export interface InstructionsEraser {
  /** Of a response, or of the data of an event. */
  body(body: JsonObject): JsonObject
  event(event: SseEvent): SseEvent
}

/** Undefined if the channel adds none. */
export function instructionsEraser(
  { dialect }: Pick<Call, 'dialect'>,
  context: Context,
): InstructionsEraser | undefined {
  const text = dialect === 'openai-responses' ? promptOf(context) : undefined
  if (text === undefined) return undefined
  const body = (data: JsonObject) => {
    const { response } = data
    if (!isObject(response)) return withoutInstructions(data, text)
    const erased = withoutInstructions(response, text)
    return erased === response ? data : { ...data, response: erased }
  }
  return {
    body,
    event: (event) =>
      (event.data.includes('"instructions"') ? editData(event, body) : undefined) ?? event,
  }
}
