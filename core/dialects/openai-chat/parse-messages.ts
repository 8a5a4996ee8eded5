// Reads messages[] into neutral turns.
import type { ChatRequest, OpaqueState, Part, PartOf, Turn } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { Fields } from '../neutral/fields.ts'
import { freeformArguments } from '../neutral/freeform-tools.ts'
import { requestInvalid } from '../neutral/request-errors.ts'
import { cacheMark } from '../neutral/cache-mark.ts'
import { parseContent } from './parse-parts.ts'
import { addTo } from '../neutral/turns.ts'

interface Conversation {
  system: Part[]
  turns: Turn[]
  /** Ids that were given to legacy function calls, newest last. */
  legacyCalls: { id: string; name: string }[]
}

export function parseMessages(body: Fields): Pick<ChatRequest, 'system' | 'turns'> {
  const messages = body.items('messages')
  if (messages.length === 0) throw requestInvalid('messages', 'must hold at least one message')
  const conversation: Conversation = { system: [], turns: [], legacyCalls: [] }
  for (const message of messages) {
    const role = message.requiredText('role')
    const parse = Object.hasOwn(roleParsers, role) ? roleParsers[role] : undefined
    if (parse === undefined)
      throw requestInvalid(message.name('role'), `"${role}" is not supported`)
    parse(message, conversation)
  }
  return { system: conversation.system, turns: conversation.turns }
}

const roleParsers: Readonly<Record<string, (message: Fields, into: Conversation) => void>> = {
  system: parseSystem,
  developer: parseSystem,
  user: parseUser,
  assistant: parseAssistant,
  tool: parseToolResult,
  function: parseFunctionResult,
}

/** System messages are moved to the front, including those after the first user turn. */
function parseSystem(message: Fields, { system }: Conversation): void {
  for (const part of parseContent(message)) {
    if (part.kind !== 'text') {
      throw requestInvalid(message.name('content'), 'a system message may hold text only')
    }
    system.push(part)
  }
}

function parseUser(message: Fields, { turns }: Conversation): void {
  const name = message.text('name')
  turns.push({
    role: 'user',
    parts: parseContent(message),
    ...(name === undefined ? {} : { name }),
  })
}

function parseAssistant(message: Fields, conversation: Conversation): void {
  const parts: Part[] = []
  const reasoning = message.body.reasoning_content ?? message.body.reasoning
  if (typeof reasoning === 'string' && reasoning !== '') {
    parts.push({ kind: 'reasoning', text: reasoning })
  }
  addTo(parts, parseContent(message))
  const refusal = message.text('refusal')
  if (refusal !== undefined && refusal !== '') parts.push({ kind: 'refusal', text: refusal })
  for (const call of message.items('tool_calls')) parts.push(parseToolCall(call))
  const legacy = message.inside('function_call')
  if (legacy !== undefined) parts.push(parseLegacyCall(legacy, conversation))
  const name = message.text('name')
  conversation.turns.push({ role: 'model', parts, ...(name === undefined ? {} : { name }) })
}

function parseToolCall(call: Fields): Part {
  const named = call.inside('function')
  const target = named ?? call.inside('custom')
  if (target === undefined) throw requestInvalid(call.name('function'), 'is required')
  const state = googleSignature(call.body)
  return {
    kind: 'tool_call',
    id: call.requiredText('id'),
    name: target.requiredText('name'),
    arguments:
      named === undefined
        ? freeformArguments(target.text('input') ?? '')
        : argumentText(named, named.body.arguments),
    ...(state === undefined ? {} : { state }),
    ...cacheMark(call.body),
  }
}

/** Arguments are a JSON text; some clients send the object itself. */
function argumentText(call: Fields, value: unknown): string {
  if (value === undefined || value === null) return '{}'
  if (isObject(value)) return JSON.stringify(value)
  if (typeof value !== 'string') throw requestInvalid(call.name('arguments'), 'must be a string')
  return value.trim() === '' ? '{}' : value
}

/** Google's own OpenAI-compatible endpoint keeps a thought signature here. */
function googleSignature(call: JsonObject): OpaqueState | undefined {
  const extra = isObject(call.extra_content) ? call.extra_content.google : undefined
  const data = isObject(extra) ? extra.thought_signature : undefined
  return typeof data === 'string' && data !== '' ? { owner: 'gemini', data } : undefined
}

function parseLegacyCall(call: Fields, { legacyCalls }: Conversation): Part {
  const name = call.requiredText('name')
  const id = `call_function_${legacyCalls.length}`
  legacyCalls.push({ id, name })
  return { kind: 'tool_call', id, name, arguments: argumentText(call, call.body.arguments) }
}

function parseToolResult(message: Fields, { turns }: Conversation): void {
  const name = message.text('name')
  addResult(turns, {
    kind: 'tool_result',
    callId: message.requiredText('tool_call_id'),
    content: parseContent(message).map(withoutMark),
    ...(name === undefined ? {} : { name }),
    ...cacheMark(message.body),
  })
}

/** A cache mark on a string message belongs to the result, not to the text inside. */
function withoutMark(part: Part): Part {
  if (!('cache' in part) || part.kind !== 'text') return part
  return { kind: 'text', text: part.text }
}

function parseFunctionResult(message: Fields, conversation: Conversation): void {
  const name = message.requiredText('name')
  const call = conversation.legacyCalls.findLast((candidate) => candidate.name === name)
  addResult(conversation.turns, {
    kind: 'tool_result',
    callId: call?.id ?? name,
    name,
    content: parseContent(message),
  })
}

/** The results of one round are in one turn. */
function addResult(turns: Turn[], result: PartOf<'tool_result'>): void {
  const last = turns.at(-1)
  // A message of the user is a turn of its own, so the kind of the last part is that of all parts.
  if (last?.role === 'user' && last.parts.at(-1)?.kind === 'tool_result') {
    last.parts.push(result)
    return
  }
  turns.push({ role: 'user', parts: [result] })
}
