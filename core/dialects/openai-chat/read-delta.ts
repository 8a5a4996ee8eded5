// Reads deltas and messages tolerantly, because the servers of this dialect differ.
import { isObject, objectsOf, textIn, type JsonObject } from '../../contract/json.ts'

/** The content as a string, or the text of Mistral's typed parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  let text = ''
  for (const part of content as unknown[]) {
    if (isObject(part) && part.type !== 'thinking' && typeof part.text === 'string')
      text += part.text
  }
  return text
}

/** Reasoning from `reasoning_content`, from `reasoning` (Groq, Together, OpenRouter), or from Mistral's thinking parts. */
export function reasoningText(message: JsonObject): string {
  if (typeof message.reasoning_content === 'string') return message.reasoning_content
  if (typeof message.reasoning === 'string') return message.reasoning
  if (!Array.isArray(message.content)) return ''
  let text = ''
  for (const part of message.content as unknown[]) {
    if (isObject(part) && part.type === 'thinking') text += contentText(part.thinking)
  }
  return text
}

export interface ToolCallPiece {
  id: string | undefined
  name: string | undefined
  arguments: string
  /** True if the arguments are a piece of plain text. */
  isFreeform: boolean
  signature: string | undefined
}

export function readToolCall(call: JsonObject): ToolCallPiece {
  const custom = isObject(call.custom) ? call.custom : undefined
  const target = isObject(call.function) ? call.function : (custom ?? {})
  const google = isObject(call.extra_content) ? call.extra_content.google : undefined
  return {
    id: textIn(call.id),
    name: textIn(target.name),
    arguments: argumentPiece(target.arguments ?? target.input),
    isFreeform: target === custom,
    signature: isObject(google) ? textIn(google.thought_signature) : undefined,
  }
}

function argumentPiece(value: unknown): string {
  if (typeof value === 'string') return value
  return isObject(value) ? JSON.stringify(value) : ''
}

/** The citations of `annotations[]`. */
export function citationsOf(message: JsonObject): JsonObject[] {
  return objectsOf(message.annotations)
}
