// Restores a conversation that other providers have answered in part before it is sent to OpenAI.
import { isObject, type JsonObject } from '../../contract/json.ts'
import { isOpenaiModel } from '../neutral/model-families.ts'

/** Removes the extensions that the gateway adds to messages for other providers: OpenAI has no fields for them, and
 *  sealed reasoning is only valid for the provider that made it.
 *  @returns the same object if there are none */
export function mendHistory(body: JsonObject, model: string): JsonObject {
  if (!isOpenaiModel(model) || !Array.isArray(body.messages)) return body
  const given = body.messages as unknown[]
  const messages = given.map(mendMessage)
  return messages.every((message, index) => message === given[index]) ? body : { ...body, messages }
}

function mendMessage(message: unknown): unknown {
  if (!isObject(message) || message.role !== 'assistant') return message
  const { reasoning_content: reasoning, ...rest } = message
  const mended = reasoning === undefined ? message : rest
  if (!Array.isArray(message.tool_calls)) return mended
  const given = message.tool_calls as unknown[]
  const calls = given.map(mendCall)
  return calls.every((call, index) => call === given[index])
    ? mended
    : { ...mended, tool_calls: calls }
}

function mendCall(call: unknown): unknown {
  if (!isObject(call) || !isObject(call.extra_content)) return call
  const { extra_content: _google, ...rest } = call
  return rest
}
