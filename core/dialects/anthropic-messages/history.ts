// Prepares a passed-through conversation for Claude if other providers have written parts of it.
import { isObject, type JsonObject } from '../../contract/json.ts'
import { bareName } from '../neutral/model-families.ts'
import { fitCallId } from '../neutral/tool-names.ts'
import { textBlock } from './build-blocks.ts'

/** Replaces content that would be empty. */
const FILLER = '...'

/** Removes what the gateway wrote for another provider's answer: reasoning without a signature, pages without one, call
 *  ids with characters that Claude refuses. If the reasoning that an open tool loop needs is missing then, reasoning is
 *  switched off. Returns the same object if nothing changes. */
export function mendHistory(body: JsonObject, model: string): JsonObject {
  if (!bareName(model).includes('claude')) return body
  const mended = withMessages(body, (block) =>
    isUnsigned(block) ? undefined : withoutOwnCitations(withFitId(block)),
  )
  return lacksThought(mended) ? withoutThinking(mended) : mended
}

/** Removes all reasoning, for an upstream that refused a signature because it was made by another account or provider. */
export function forgetThoughts(body: JsonObject): JsonObject {
  const bare = withMessages(body, (block) => (isThought(block) ? undefined : block))
  return lacksThought(bare, () => true) ? withoutThinking(bare) : bare
}

function isThought(block: unknown): boolean {
  return isObject(block) && (block.type === 'thinking' || block.type === 'redacted_thinking')
}

function isUnsigned(block: unknown): boolean {
  return isObject(block) && block.type === 'thinking' && !block.signature
}

/** Removes pages that another provider has found: they have no signature. */
function withoutOwnCitations(block: unknown): unknown {
  if (!isObject(block) || block.type !== 'text' || !Array.isArray(block.citations)) return block
  const given = block.citations as unknown[]
  const kept = given.filter((citation) => !isOwnCitation(citation))
  if (kept.length === given.length) return block
  const { citations: _given, ...rest } = block
  return kept.length === 0 ? rest : { ...rest, citations: kept }
}

function isOwnCitation(citation: unknown): boolean {
  return (
    isObject(citation) &&
    citation.type === 'web_search_result_location' &&
    citation.encrypted_index === ''
  )
}

function withFitId(block: unknown): unknown {
  if (!isObject(block)) return block
  const key =
    block.type === 'tool_use' ? 'id' : block.type === 'tool_result' ? 'tool_use_id' : undefined
  const id = key === undefined ? undefined : block[key]
  if (key === undefined || typeof id !== 'string' || id === '') return block
  const fit = fitCallId(id)
  return fit === id ? block : { ...block, [key]: fit }
}

/** Edits the blocks of all messages; a block for which `edit` returns undefined is removed. */
function withMessages(body: JsonObject, edit: (block: unknown) => unknown): JsonObject {
  if (!Array.isArray(body.messages)) return body
  let isChanged = false
  const messages = (body.messages as unknown[]).map((message) => {
    const content = isObject(message) ? message.content : undefined
    if (!isObject(message) || !Array.isArray(content)) return message
    const blocks = (content as unknown[]).map(edit)
    if (blocks.every((block, index) => block === content[index])) return message
    isChanged = true
    const kept = blocks.filter((block) => block !== undefined)
    return { ...message, content: kept.length === 0 ? [textBlock(FILLER, undefined)] : kept }
  })
  return isChanged ? { ...body, messages } : body
}

/** Claude's own call ids look alike wherever it is hosted. Another id was made by another model, whose reasoning Claude does not know. */
function isForeignCall(block: JsonObject): boolean {
  return typeof block.id === 'string' && !block.id.startsWith('toolu_')
}

/** Claude models with budgets refuse the calls of an open tool loop if no reasoning precedes them. */
function lacksThought(
  { thinking, messages }: JsonObject,
  isOurs: (call: JsonObject) => boolean = isForeignCall,
): boolean {
  if (!isObject(thinking) || thinking.type !== 'enabled' || !Array.isArray(messages)) return false
  const results = blocksOf(messages.at(-1), 'user')
  const blocks = blocksOf(messages.at(-2), 'assistant')
  if (!results.some(({ type }) => type === 'tool_result') || isThought(blocks[0])) return false
  return blocks.some((block) => block.type === 'tool_use' && isOurs(block))
}

function blocksOf(message: unknown, role: string): JsonObject[] {
  if (!isObject(message) || message.role !== role || !Array.isArray(message.content)) return []
  return message.content.filter(isObject)
}

/** Removes reasoning, and what edits it, from a request that has reasoning switched off. */
function withoutThinking(body: JsonObject): JsonObject {
  const { thinking: _thinking, context_management: context, ...rest } = body
  const bare = withMessages(rest, (block) => (isThought(block) ? undefined : block))
  if (!isObject(context) || !Array.isArray(context.edits)) {
    return context === undefined ? bare : { ...bare, context_management: context }
  }
  const edits = (context.edits as unknown[]).filter((edit) => !clearsThinking(edit))
  return edits.length === 0 ? bare : { ...bare, context_management: { ...context, edits } }
}

function clearsThinking(edit: unknown): boolean {
  return isObject(edit) && typeof edit.type === 'string' && edit.type.startsWith('clear_thinking')
}
