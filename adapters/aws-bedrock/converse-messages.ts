// Messages of Converse. Source: docs.aws.amazon.com/bedrock, API reference Message, ContentBlock, DocumentBlock, ToolResultBlock, CachePointBlock.
import { createHash } from 'node:crypto'
import type { AttemptContext, JsonObject, Part, PartOf, Turn } from '#core'
import { argumentObject } from '#adapter-kit'
import {
  fetchFiles,
  fileBlock,
  imageBlock,
  soundBlock,
  titlesApart,
  type Files,
} from './converse-media.ts'
import { isOwnState } from './converse-state.ts'
import type { Traits } from './converse-traits.ts'

/** A text of our own where Bedrock demands a turn or a text and the client sent none. */
const FILLER = '...'

export interface MessageRules {
  traits: Traits
  rename: (name: string) => string
  /** False: calls and results of the history become text, for the runtime refuses them where no tool is offered. */
  speaksTools: boolean
}

export function systemBlocks(parts: readonly Part[], { cachePoints }: Traits): JsonObject[] {
  return parts.flatMap((part) => {
    if (part.kind !== 'text' || part.text.trim() === '') return []
    return [{ text: part.text }, ...(part.cache && cachePoints !== 'none' ? [CACHE_POINT] : [])]
  })
}

const CACHE_POINT: JsonObject = { cachePoint: { type: 'default' } }

/** User and assistant must alternate, and the user must begin. */
export async function toMessages(
  turns: readonly Turn[],
  rules: MessageRules,
  context: Pick<AttemptContext, 'fetchFile'>,
): Promise<JsonObject[]> {
  const writer = new MessageWriter(rules, await fetchFiles(turns, context))
  const messages = turns.map((turn) => writer.message(turn))
  const last = messages.at(-1)
  if (last?.role === 'assistant') last.content = withoutTrailingSpace(last.content)
  const opening: Message[] =
    messages[0]?.role === 'user' ? [] : [{ role: 'user', content: [{ text: FILLER }] }]
  return [...opening, ...messages].map(({ role, content }) => ({ role, content }))
}

interface Message {
  role: 'user' | 'assistant'
  content: JsonObject[]
}

/** Bedrock refuses a turn without content, and a document without a text beside it. */
function lacksText(blocks: readonly JsonObject[]): boolean {
  if (blocks.every((block) => block === CACHE_POINT)) return true
  const has = (kind: string) => blocks.some((block) => block[kind] !== undefined)
  return has('document') && !has('text')
}

class MessageWriter {
  readonly #rules: MessageRules
  readonly #files: Files
  /** Names of the documents before. */
  readonly #titles = titlesApart()

  constructor(rules: MessageRules, files: Files) {
    this.#rules = rules
    this.#files = files
  }

  message({ role, parts }: Turn): Message {
    const isUser = role === 'user'
    const blocks = parts.flatMap((part) => this.#marked(part, isUser))
    return {
      role: isUser ? 'user' : 'assistant',
      content: lacksText(blocks) ? [...blocks, { text: FILLER }] : blocks,
    }
  }

  #marked(part: Part, isUser: boolean): JsonObject[] {
    const blocks = this.#blocks(part, isUser)
    const isMarked =
      'cache' in part && part.cache !== undefined && this.#rules.traits.cachePoints !== 'none'
    return isMarked && blocks.length > 0 ? [...blocks, CACHE_POINT] : blocks
  }

  #blocks(part: Part, isUser: boolean): JsonObject[] {
    switch (part.kind) {
      case 'text':
      case 'refusal':
        // Blank texts are refused.
        return part.text.trim() === '' ? [] : [{ text: part.text }]
      case 'image':
        return [imageBlock(part.source, this.#files)]
      case 'file':
        return [fileBlock(part, this.#files, this.#titles)]
      case 'audio':
        return [soundBlock(part)]
      case 'reasoning':
        return isUser ? [] : reasoningBlock(part)
      case 'tool_call':
        return [callBlock(part, this.#rules)]
      case 'tool_result':
        return [this.#resultBlock(part)]
    }
  }

  #resultBlock(part: PartOf<'tool_result'>): JsonObject {
    const { speaksTools, traits } = this.#rules
    if (!speaksTools) return { text: `[The tool answered: ${textOf(part.content)}]` }
    const blocks = part.content.flatMap((inner) => this.#blocks(inner, true))
    return {
      toolResult: {
        toolUseId: fitCallId(part.callId, traits),
        content: blocks.length === 0 ? [{ text: FILLER }] : blocks,
        ...(part.isError === true && traits.marksFailedResults ? { status: 'error' } : {}),
      },
    }
  }
}

/** Only what Bedrock sealed itself goes back: models without seals refuse reasoning in the history. */
function reasoningBlock({ text, state, redacted }: PartOf<'reasoning'>): JsonObject[] {
  if (!isOwnState(state)) return []
  return redacted
    ? [{ reasoningContent: { redactedContent: state.data } }]
    : [{ reasoningContent: { reasoningText: { text, signature: state.data } } }]
}

function callBlock(
  { id, name, arguments: text }: PartOf<'tool_call'>,
  { rename, speaksTools, traits }: MessageRules,
): JsonObject {
  if (!speaksTools) return { text: `[Called ${name} with ${text}]` }
  const input = argumentObject(text)
  return { toolUse: { toolUseId: fitCallId(id, traits), name: rename(name), input } }
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n') || FILLER
}

/** Other ids become a digest of themselves, so that call and result stay together and repeated turns give equal prompts. */
function fitCallId(id: string, { hasShortCallIds }: Traits): string {
  const isFit = hasShortCallIds ? /^[a-zA-Z0-9]{9}$/ : /^[a-zA-Z0-9_.:-]{1,64}$/
  if (isFit.test(id)) return id
  const digest = createHash('sha256').update(id).digest('hex')
  return hasShortCallIds ? digest.slice(0, 9) : `call_${digest.slice(0, 24)}`
}

/** The beginning of an answer may not end in space. */
function withoutTrailingSpace(content: readonly JsonObject[]): JsonObject[] {
  return content.map((block, index) => {
    const isLast = index === content.length - 1
    return isLast && typeof block['text'] === 'string' ? { text: block['text'].trimEnd() } : block
  })
}
