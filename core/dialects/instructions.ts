// Instructions that stand beside the client's: the system prompt of a channel, and what hooks of plugins add.
import { isObject, type JsonObject } from '../contract/json.ts'
import type { CallOperation } from '../contract/adapter.ts'
import type { ChatDialect } from '../contract/dialect.ts'
import type { ChatRequest } from '../contract/neutral.ts'

/** Between them and the client's own. */
const SEPARATOR = '\n\n'

const operations: ReadonlySet<CallOperation> = new Set([
  'chat',
  'count_tokens',
  'responses.input_tokens',
  'gemini.count_tokens',
] as const)

/** False for what only travels as a chat, such as a plain completion. */
export function takesInstructions(operation: CallOperation): boolean {
  return operations.has(operation)
}

export interface Instructions {
  text: string
  /** Whether they also stand in front of a client's own instructions. Otherwise only clients without any get them. */
  isAlways: boolean
}

/** The body with the instructions; the same object if it stays as it is. Fields of an unexpected form stay. */
export function withInstructions(
  body: JsonObject,
  dialect: ChatDialect,
  instructions: Instructions,
): JsonObject {
  return writers[dialect](body, instructions)
}

/** The neutral request with the instructions; the same object if it stays as it is. */
export function requestWithInstructions(request: ChatRequest, instructions: Instructions) {
  const own = request.system.filter((part) => part.kind !== 'text' || isGiven(part.text))
  if (own.length > 0 && !instructions.isAlways) return request
  return { ...request, system: [{ kind: 'text' as const, text: instructions.text }, ...own] }
}

/** An object of the Responses API as the client's own instructions would have made it; the same object if `text` does not stand in it. */
export function withoutInstructions(response: JsonObject, text: string): JsonObject {
  const { instructions } = response
  if (instructions === text) return { ...response, instructions: null }
  const start = `${text}${SEPARATOR}`
  if (typeof instructions !== 'string' || !instructions.startsWith(start)) return response
  return { ...response, instructions: instructions.slice(start.length) }
}

type Writer = (body: JsonObject, instructions: Instructions) => JsonObject

const writers: Readonly<Record<ChatDialect, Writer>> = {
  'openai-chat': inMessages,
  'openai-responses': inResponses,
  'anthropic-messages': inSystem,
  gemini: inSystemInstruction,
}

/** Joined with the client's first instructions: templates of several open models refuse a second system message. */
function inMessages(body: JsonObject, { text, isAlways }: Instructions): JsonObject {
  if (!Array.isArray(body.messages)) return body
  const messages = body.messages as unknown[]
  if (!isAlways && messages.some(saysSomething)) return body
  const [first, ...others] = messages
  if (!isInstruction(first))
    return { ...body, messages: [{ role: 'system', content: text }, ...messages] }
  const joined = { ...first, content: inFrontOf(first.content, text, { type: 'text', text }) }
  return { ...body, messages: [joined, ...others] }
}

function inResponses(body: JsonObject, { text, isAlways }: Instructions): JsonObject {
  const { instructions, input } = body
  const hasOwn = isGiven(instructions) || (Array.isArray(input) && input.some(saysSomething))
  if (hasOwn && !isAlways) return body
  return { ...body, instructions: inFrontOf(instructions, text) }
}

function inSystem(body: JsonObject, { text, isAlways }: Instructions): JsonObject {
  const { system } = body
  if (isGiven(system) && !isAlways) return body
  return { ...body, system: inFrontOf(system, text, { type: 'text', text }) }
}

/** Google accepts both spellings of the field. */
function inSystemInstruction(body: JsonObject, { text, isAlways }: Instructions): JsonObject {
  const name = isGiven(body.system_instruction) ? 'system_instruction' : 'systemInstruction'
  const own = body[name]
  if (!isGiven(isObject(own) ? own.parts : own)) return { ...body, [name]: { parts: [{ text }] } }
  if (!isAlways || !isObject(own)) return body
  const parts = Array.isArray(own.parts) ? (own.parts as unknown[]) : [own.parts]
  return { ...body, [name]: { ...own, parts: [{ text }, ...parts.filter(isGiven)] } }
}

function isInstruction(message: unknown): message is JsonObject {
  return isObject(message) && (message.role === 'system' || message.role === 'developer')
}

/** Several chat programs send an empty system message where their user has written none. */
function saysSomething(message: unknown): boolean {
  return isInstruction(message) && isGiven(message.content)
}

/** Neither absent nor blank. */
function isGiven(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  if (Array.isArray(value)) return value.some((part) => isGiven(isText(part) ? part.text : part))
  return value !== undefined && value !== null
}

function isText(part: unknown): part is { text: string } {
  return isObject(part) && typeof part.text === 'string'
}

/** The text before a text, or its block before blocks. */
function inFrontOf(own: unknown, text: string, block?: JsonObject): unknown {
  if (!isGiven(own)) return text
  if (typeof own === 'string') return `${text}${SEPARATOR}${own}`
  return block && Array.isArray(own) ? [block, ...(own as unknown[])] : own
}
