// Reads input[] into neutral turns. Consecutive items of the model are one turn.
import type { MediaSource, Part, Turn } from '../../contract/neutral.ts'
import { isObject } from '../../contract/json.ts'
import type { Fields } from '../neutral/fields.ts'
import { clientToolPart } from './client-tools.ts'
import { freeformArguments } from '../neutral/freeform-tools.ts'
import { sourceOfUrl } from '../neutral/media.ts'
import type { Names } from './namespaces.ts'
import { serverToolParts } from './server-tool-text.ts'
import { textOrItems } from '../neutral/text-or-items.ts'
import { requestInvalid, unsupportedParameter } from '../neutral/request-errors.ts'
import { addTo } from '../neutral/turns.ts'

export interface Conversation {
  system: Part[]
  turns: Turn[]
  names: Names
  /** Ids of the calls of tools that the client runs. */
  clientCalls: Set<string>
}

export const ADDED_TOOLS = 'additional_tools'
export const NEW_SETTINGS = 'configuration_update'

export function parseItem(item: Fields, into: Conversation): void {
  const type = item.text('type') ?? 'message'
  const parse = Object.hasOwn(itemParsers, type) ? itemParsers[type] : undefined
  if (parse === undefined) parseOther(type, item, into)
  else parse(item, into)
}

function parseOther(type: string, item: Fields, into: Conversation): void {
  const part = clientToolPart(type, item.body, into.names)
  if (part?.kind === 'tool_call') {
    into.clientCalls.add(part.id)
    modelTurn(into).parts.push(part)
    return
  }
  // What OpenAI's own containers print is a result of the same type.
  if (part?.kind === 'tool_result' && into.clientCalls.has(part.callId)) {
    addResult(part, into)
    return
  }
  const isOfClient = type.endsWith('_output')
  if (type.endsWith('_call') || isOfClient || type.startsWith('mcp_') || type === 'program') {
    const parts = serverToolParts(type, item.body)
    if (!isOfClient) addTo(modelTurn(into).parts, parts)
    else into.turns.push({ role: 'user', parts })
    return
  }
  throw requestInvalid(item.name('type'), `"${type}" is not supported`)
}

const itemParsers: Readonly<Record<string, (item: Fields, into: Conversation) => void>> = {
  message: parseMessage,
  function_call: parseCall,
  function_call_output: parseOutput,
  custom_tool_call: parseCustomCall,
  custom_tool_call_output: parseOutput,
  reasoning: parseReasoning,
  item_reference: (item) => {
    throw unsupportedParameter(
      item.name('type'),
      'the item is not known here, or no longer; send the item itself, as SDKs do with store: false',
    )
  },
  compaction: () => {},
  // Read together with the other tools and settings.
  [ADDED_TOOLS]: () => {},
  [NEW_SETTINGS]: () => {},
}

function parseMessage(item: Fields, into: Conversation): void {
  const role = item.requiredText('role')
  const parts = parseContent(item, 'content')
  switch (role) {
    case 'system':
    case 'developer':
      addTo(
        into.system,
        parts.map((part) => textOnly(part, item)),
      )
      return
    case 'assistant':
      addTo(modelTurn(into).parts, parts)
      return
    case 'user':
      into.turns.push({ role: 'user', parts })
      return
    default:
      throw requestInvalid(item.name('role'), `"${role}" is not supported`)
  }
}

function textOnly(part: Part, item: Fields): Part {
  if (part.kind === 'text') return part
  throw requestInvalid(item.name('content'), 'a system message may hold text only')
}

function modelTurn({ turns }: Conversation): Turn {
  const last = turns.at(-1)
  if (last?.role === 'model') return last
  const turn: Turn = { role: 'model', parts: [] }
  turns.push(turn)
  return turn
}

function parseContent(item: Fields, key: string): Part[] {
  return textOrItems(item, key, { of: 'parts', parse: parsePart })
}

function parsePart(part: Fields): Part[] {
  const type = part.requiredText('type')
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return part.body.text === '' ? [] : [{ kind: 'text', text: part.text('text') ?? '' }]
    case 'refusal':
      return [{ kind: 'refusal', text: part.text('refusal') ?? '' }]
    case 'input_image':
      return [imageOf(part)]
    case 'input_file':
      return [fileOf(part)]
    case 'input_audio':
      throw unsupportedParameter(part.name('type'), 'audio is not supported here')
    default:
      throw requestInvalid(part.name('type'), `"${type}" is not supported`)
  }
}

function imageOf(part: Fields): Part {
  const detail = part.text('detail')
  const id = part.text('file_id')
  const source: MediaSource =
    id === undefined
      ? sourceOfUrl(part.requiredText('image_url'))
      : { type: 'file_id', id, dialect: 'openai-responses' }
  return { kind: 'image', source, ...(detail === undefined ? {} : { detail }) }
}

function fileOf(part: Fields): Part {
  const name = part.text('filename')
  return { kind: 'file', source: fileSource(part), ...(name === undefined ? {} : { name }) }
}

function fileSource(part: Fields): MediaSource {
  const id = part.text('file_id')
  if (id !== undefined) return { type: 'file_id', id, dialect: 'openai-responses' }
  const url = part.text('file_url')
  if (url !== undefined) return { type: 'url', url }
  const data = part.requiredText('file_data')
  return data.startsWith('data:')
    ? sourceOfUrl(data)
    : { type: 'base64', mediaType: 'application/pdf', data }
}

function parseCall(item: Fields, into: Conversation): void {
  const text = item.text('arguments') ?? ''
  modelTurn(into).parts.push({
    kind: 'tool_call',
    id: item.requiredText('call_id'),
    name: into.names.nameOf(item.requiredText('name'), item.text('namespace')),
    arguments: text.trim() === '' ? '{}' : text,
  })
}

function parseCustomCall(item: Fields, into: Conversation): void {
  modelTurn(into).parts.push({
    kind: 'tool_call',
    id: item.requiredText('call_id'),
    name: into.names.nameOf(item.requiredText('name'), item.text('namespace')),
    arguments: freeformArguments(item.text('input') ?? ''),
  })
}

function parseOutput(item: Fields, into: Conversation): void {
  const callId = item.requiredText('call_id')
  addResult({ kind: 'tool_result', callId, content: parseContent(item, 'output') }, into)
}

function addResult(result: Part, { turns }: Conversation): void {
  const last = turns.at(-1)
  // Turns of the user hold results alone, or none: a look at each of them would make many results quadratic work.
  if (last?.role === 'user' && last.parts[0]?.kind === 'tool_result') last.parts.push(result)
  else turns.push({ role: 'user', parts: [result] })
}

function parseReasoning(item: Fields, into: Conversation): void {
  const texts = [...(item.list('summary') ?? []), ...(item.list('content') ?? [])]
  const text = texts
    .map((entry) => (isObject(entry) && typeof entry.text === 'string' ? entry.text : ''))
    .filter((entry) => entry !== '')
    .join('\n\n')
  const data = item.text('encrypted_content')
  const id = item.text('id')
  if (text === '' && data === undefined) return
  modelTurn(into).parts.push({
    kind: 'reasoning',
    text,
    ...(data === undefined
      ? {}
      : { state: { owner: 'openai', data, ...(id === undefined ? {} : { id }) } }),
  })
}
