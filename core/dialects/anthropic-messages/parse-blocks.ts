// Content blocks of a client's messages into neutral parts.
import type { MediaSource, Part } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { cacheMark } from '../neutral/cache-mark.ts'
import { Fields } from '../neutral/fields.ts'
import { textOrItems } from '../neutral/text-or-items.ts'
import { requestInvalid } from '../neutral/request-errors.ts'
import { sourceLine, toolText } from '../neutral/server-tool-text.ts'
import { resultText, useText } from './server-tool-text.ts'

/** `key` holds a string or a list of blocks. */
export function parseBlocks(holder: Fields, key: string): Part[] {
  return textOrItems(holder, key, { of: 'blocks', parse: parseBlock })
}

const blockParsers: Readonly<Record<string, (block: Fields) => Part[]>> = {
  text: parseText,
  image: parseImage,
  document: parseDocument,
  tool_use: parseToolUse,
  tool_result: parseToolResult,
  thinking: parseThinking,
  redacted_thinking: parseRedacted,
  search_result: parseSearchResult,
  server_tool_use: (block) => serverText(block, useText),
  mcp_tool_use: (block) => serverText(block, useText),
  mcp_tool_result: (block) => serverText(block, resultText),
  // A summary that Anthropic made of the turns before; absent if making it failed.
  compaction: (block) => textOf(block, 'content'),
  // Says which model answered from here on.
  fallback: () => [],
  // A file in a container of Anthropic's.
  container_upload: (block) => [
    {
      kind: 'file',
      source: { type: 'file_id', id: block.requiredText('file_id'), dialect: 'anthropic-messages' },
    },
  ],
  // Read with the tools.
  tool_addition: () => [],
  tool_removal: () => [],
  tool_reference: (block) => [
    { kind: 'text', text: toolText('tool_reference', block.text('tool_name') ?? '') },
  ],
}

function parseBlock(block: Fields): Part[] {
  const type = block.requiredText('type')
  const parse = Object.hasOwn(blockParsers, type) ? blockParsers[type] : undefined
  // Each of the provider's own tools has a result of its own type.
  if (parse === undefined && type.endsWith('_tool_result')) return serverText(block, resultText)
  if (parse === undefined) throw requestInvalid(block.name('type'), `"${type}" is not supported`)
  return parse(block)
}

function parseText(block: Fields): Part[] {
  return textOf(block, 'text')
}

function textOf(block: Fields, key: string): Part[] {
  const text = block.text(key) ?? ''
  return text === '' ? [] : [{ kind: 'text', text, ...cacheMark(block.body) }]
}

function serverText(block: Fields, write: (body: JsonObject) => string): Part[] {
  return [{ kind: 'text', text: write(block.body), ...cacheMark(block.body) }]
}

/** A search result with its source, which models name when they use it. */
function parseSearchResult(block: Fields): Part[] {
  const place = sourceLine(block.text('title'), block.text('source'))
  const found = parseBlocks(block, 'content')
  return place === '' ? found : [{ kind: 'text', text: `${place}\n` }, ...found]
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
  const context = block.text('context') ?? ''
  return [
    ...(context === '' ? [] : [{ kind: 'text' as const, text: context }]),
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

/** Reasoning of another provider's model comes back with an empty signature. */
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
