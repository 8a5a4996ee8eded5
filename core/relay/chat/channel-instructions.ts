// The instructions for the model that a channel's setting has (`system_prompt`).
import type { AttemptContext, Body } from '../../contract/adapter.ts'
import type { ChatRequest } from '../../contract/neutral.ts'
import {
  type Instructions,
  requestWithInstructions,
  withInstructions,
} from '../../dialects/instructions.ts'
import type { RelayCall } from '../call/relay-call.ts'

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

const operations: ReadonlySet<string> = new Set([
  'chat',
  'count_tokens',
  'responses.input_tokens',
  'gemini.count_tokens',
])

/** None for what only travels as a chat, such as a plain completion. */
function instructionsFor(
  { operation }: Call,
  { channel: { setting } }: Context,
): Instructions | undefined {
  const text = setting['system_prompt']
  if (typeof text !== 'string' || text.trim() === '' || !operations.has(operation)) return undefined
  return { text, isAlways: setting['system_prompt_override'] === true }
}
