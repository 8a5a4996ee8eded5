// Content blocks of a client's messages into neutral parts.
import type { CacheMark, MediaSource, Part } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { Fields } from '../neutral/fields.ts'
import { requestInvalid } from '../neutral/request-errors.ts'

export function cacheMark(body: JsonObject): { cache?: CacheMark } {
  return isObject(body.cache_control) ? { cache: { control: body.cache_control } } : {}
}

/** `key` holds a string or a list of blocks. */
export function parseBlocks(holder: Fields, key: string): Part[] {
  const content = holder.body[key]
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) {
    throw requestInvalid(holder.name(key), 'must be a string or a list of blocks')
  }
  return holder.items(key).flatMap(parseBlock)
}

const blockParsers: Readonly<Record<string, (block: Fields) => Part[]>> = {
  text: parseText,
  image: parseImage,
  document: parseDocument,
  tool_use: parseToolUse,
  tool_result: parseToolResult,
  thinking: parseThinking,
  redacted_thinking: parseRedacted,
  search_result: (block) => parseBlocks(block, 'content'),
  // What the provider's own tools did is no other provider's business.
  server_tool_use: () => [],
  web_search_tool_result: () => [],
  web_fetch_tool_result: () => [],
  code_execution_tool_result: () => [],
  bash_code_execution_tool_result: () => [],
  text_editor_code_execution_tool_result: () => [],
  mcp_tool_use: () => [],
  mcp_tool_result: () => [],
  container_upload: () => [],
  tool_reference: () => [],
}

function parseBlock(block: Fields): Part[] {
  const type = block.requiredText('type')
  const parse = Object.hasOwn(blockParsers, type) ? blockParsers[type] : undefined
  if (parse === undefined) throw requestInvalid(block.name('type'), `"${type}" is not supported`)
  return parse(block)
}

function parseText(block: Fields): Part[] {
  const text = block.text('text') ?? ''
  return text === '' ? [] : [{ kind: 'text', text, ...cacheMark(block.body) }]
}

function parseImage(block: Fields): Part[] {
  return [{ kind: 'image', source: sourceOf(block), ...cacheMark(block.body) }]
}

function sourceOf(block: Fields): MediaSource {
  const source = block.inside('source')
  if (source === undefined) throw requestInvalid(block.name('source'), 'is required')
  const type = source.text('type')
  switch (type) {
    case 'base64':
      return {
        type: 'base64',
        mediaType: source.text('media_type') ?? 'application/octet-stream',
        data: source.requiredText('data'),
      }
    case 'url':
      return { type: 'url', url: source.requiredText('url') }
    case 'file':
      return { type: 'file_id', id: source.requiredText('file_id'), dialect: 'anthropic-messages' }
    case 'text':
      return { type: 'text', text: source.text('data') ?? '' }
    default:
      throw requestInvalid(source.name('type'), `"${type ?? ''}" is not supported`)
  }
}

function parseDocument(block: Fields): Part[] {
  const source = block.inside('source')
  if (source?.text('type') === 'content') return parseBlocks(source, 'content')
  const name = block.text('title')
  return [
    {
      kind: 'file',
      source: sourceOf(block),
      ...(name === undefined ? {} : { name }),
      ...cacheMark(block.body),
    },
  ]
}

function parseToolUse(block: Fields): Part[] {
  return [
    {
      kind: 'tool_call',
      id: block.requiredText('id'),
      name: block.requiredText('name'),
      arguments: JSON.stringify(block.object('input') ?? {}),
      ...cacheMark(block.body),
    },
  ]
}

function parseToolResult(block: Fields): Part[] {
  const isError = block.flag('is_error')
  return [
    {
      kind: 'tool_result',
      callId: block.requiredText('tool_use_id'),
      content: parseBlocks(block, 'content'),
      ...(isError === true ? { isError } : {}),
      ...cacheMark(block.body),
    },
  ]
}

/** A thinking block of a foreign model comes back with an empty signature. */
function parseThinking(block: Fields): Part[] {
  const text = block.text('thinking') ?? ''
  const data = block.text('signature') ?? ''
  if (text === '' && data === '') return []
  return [
    { kind: 'reasoning', text, ...(data === '' ? {} : { state: { owner: 'anthropic', data } }) },
  ]
}

function parseRedacted(block: Fields): Part[] {
  const data = block.requiredText('data')
  return [{ kind: 'reasoning', text: '', state: { owner: 'anthropic', data }, redacted: true }]
}
