// The events of a streamed answer. Source: docs.aws.amazon.com/bedrock, API reference ConverseStream, ConverseStreamOutput.
import {
  asText,
  isObject,
  UpstreamError,
  type ChatEvent,
  type ChatRequest,
  type JsonObject,
  type OwnStreamReader,
  type SseEvent,
} from '#core'
import { parsedEvent, readFailure, reasoningEvents, textEvents, usageEvents } from '#adapter-kit'
import {
  finishOf,
  nameReader,
  readUsage,
  sealedThoughts,
  signatureEvents,
} from './converse-answer.ts'

interface Block {
  /** Undefined: no call. */
  callIndex: number | undefined
  signature: string
  redacted: string
}

export class ConverseStreamReader implements OwnStreamReader {
  isComplete = false
  #calls = 0
  /** Blocks of text may begin without a start. */
  readonly #blocks = new Map<unknown, Block>()
  readonly #readName: (name: unknown) => string

  constructor(request: ChatRequest) {
    this.#readName = nameReader(request)
  }

  /** @throws UpstreamError for an exception frame */
  push(event: SseEvent): ChatEvent[] {
    if (event.event === 'error') throw new UpstreamError(readFailure(200, parsedEvent(event)))
    const read = this.#readers.get(event.event ?? '')
    return read === undefined ? [] : read(parsedEvent(event))
  }

  end(): ChatEvent[] {
    return []
  }

  readonly #readers = new Map<string, (data: JsonObject) => ChatEvent[]>([
    ['messageStart', () => [{ type: 'start' }]],
    ['contentBlockStart', (data) => this.#startBlock(data)],
    ['contentBlockDelta', (data) => this.#readDelta(data)],
    ['contentBlockStop', (data) => this.#endBlock(data)],
    ['messageStop', (data) => this.#stop(data)],
    ['metadata', ({ usage }) => usageEvents(readUsage(usage))],
  ])

  #startBlock({ contentBlockIndex: index, start }: JsonObject): ChatEvent[] {
    const call = isObject(start) ? start['toolUse'] : undefined
    if (!isObject(call)) return []
    const callIndex = this.#calls
    this.#calls += 1
    this.#blocks.set(index, { callIndex, signature: '', redacted: '' })
    const id = asText(call['toolUseId'])
    return [{ type: 'tool_start', index: callIndex, id, name: this.#readName(call['name']) }]
  }

  #readDelta({ contentBlockIndex: index, delta }: JsonObject): ChatEvent[] {
    if (!isObject(delta)) return []
    const { toolUse, reasoningContent } = delta
    if (isObject(toolUse)) return this.#argue(index, toolUse['input'])
    if (isObject(reasoningContent)) return this.#think(index, reasoningContent)
    return textEvents(delta['text'])
  }

  #argue(blockIndex: unknown, piece: unknown): ChatEvent[] {
    const index = this.#blocks.get(blockIndex)?.callIndex
    if (index === undefined || typeof piece !== 'string' || piece === '') return []
    return [{ type: 'tool_args', index, delta: piece }]
  }

  #think(index: unknown, { text, signature, redactedContent }: JsonObject): ChatEvent[] {
    const block = this.#blocks.get(index) ?? { callIndex: undefined, signature: '', redacted: '' }
    this.#blocks.set(index, block)
    if (typeof signature === 'string') block.signature += signature
    if (typeof redactedContent === 'string') block.redacted += redactedContent
    return reasoningEvents(text)
  }

  #endBlock({ contentBlockIndex: index }: JsonObject): ChatEvent[] {
    const block = this.#blocks.get(index)
    if (block === undefined) return []
    this.#blocks.delete(index)
    if (block.callIndex !== undefined) return [{ type: 'tool_end', index: block.callIndex }]
    return block.redacted === ''
      ? signatureEvents(block.signature)
      : [sealedThoughts(block.redacted)]
  }

  #stop({ stopReason: native }: JsonObject): ChatEvent[] {
    this.isComplete = true
    const reason = finishOf(native, this.#calls > 0)
    return [{ type: 'finish', reason, ...(typeof native === 'string' ? { native } : {}) }]
  }
}
