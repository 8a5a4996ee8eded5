// A whole answer of Converse, and what it shares with the stream. Source: docs.aws.amazon.com/bedrock, API reference Converse, TokenUsage.
import {
  asText,
  isObject,
  objectsOf,
  UpstreamError,
  type ChatEvent,
  type ChatRequest,
  type FinishReason,
  type JsonObject,
  type Usage,
} from '#core'
import {
  closing,
  reasoningEvents,
  textEvents,
  tokens,
  unknownFailure,
  usageOf,
  wholeCall,
} from '#adapter-kit'
import { toolNames } from './converse-request.ts'
import { sealed } from './converse-state.ts'

const FINISH: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries<FinishReason>({
    end_turn: 'stop',
    tool_use: 'tool_calls',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
    stop_sequence: 'stop_sequence',
    guardrail_intervened: 'filtered',
    content_filtered: 'filtered',
    malformed_model_output: 'bad_call',
    malformed_tool_use: 'bad_call',
  }),
)

/** Some models give `end_turn` for an answer that calls tools. */
export function finishOf(native: unknown, hasCalls: boolean): FinishReason {
  const reason = (typeof native === 'string' ? FINISH.get(native) : undefined) ?? 'other'
  return reason === 'stop' && hasCalls ? 'tool_calls' : reason
}

/** `inputTokens` never includes cached input, whatever `totalTokens` does. */
export function readUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined
  const cacheRead = tokens(value['cacheReadInputTokens'])
  const written = tokens(value['cacheWriteInputTokens'])
  const hour = Math.min(written, hourTokens(value['cacheDetails']))
  return usageOf({
    input: tokens(value['inputTokens']) + cacheRead + written,
    cacheRead,
    cacheWrite5m: written - hour,
    cacheWrite1h: hour,
    output: tokens(value['outputTokens']),
  })
}

function hourTokens(details: unknown): number {
  const list = objectsOf(details)
  return list
    .filter(({ ttl }) => ttl === '1h')
    .reduce((sum, { inputTokens }) => sum + tokens(inputTokens), 0)
}

/** Turns the names that were sent back into the client's own. */
export function nameReader(request: ChatRequest): (name: unknown) => string {
  const { hints } = toolNames(request)
  return (name) => {
    if (typeof name !== 'string') return ''
    // gpt-oss models sometimes leave a token of their own format (`<|channel|>…`) behind the name.
    const [bare = ''] = name.split('<|')
    return hints.toolNames?.get(bare) ?? bare
  }
}

/** @throws UpstreamError for an answer without a message */
export function readAnswer(body: unknown, request: ChatRequest): ChatEvent[] {
  const answer = isObject(body) ? body : {}
  const message = isObject(answer['output']) ? answer['output']['message'] : undefined
  if (!isObject(message)) throw new UpstreamError(unknownFailure(200), 'upstream')
  const readName = nameReader(request)
  const blocks = objectsOf(message['content'])
  let calls = 0
  const events = blocks.flatMap((block) => {
    const call = block['toolUse']
    if (!isObject(call)) return blockEvents(block)
    calls += 1
    return wholeCall(calls - 1, {
      id: asText(call['toolUseId']),
      name: readName(call['name']),
      arguments: JSON.stringify(call['input'] ?? {}),
    })
  })
  const reason = finishOf(answer['stopReason'], calls > 0)
  return [{ type: 'start' }, ...events, ...closing(reason, readUsage(answer['usage']))]
}

function blockEvents(block: JsonObject): ChatEvent[] {
  if (isObject(block['reasoningContent'])) return thoughtEvents(block['reasoningContent'])
  const cited = block['citationsContent']
  if (isObject(cited) && Array.isArray(cited['content'])) {
    return cited['content'].filter(isObject).flatMap(({ text }) => textEvents(text))
  }
  return textEvents(block['text'])
}

function thoughtEvents(content: JsonObject): ChatEvent[] {
  const { redactedContent, reasoningText } = content
  if (typeof redactedContent === 'string') return [sealedThoughts(redactedContent)]
  if (!isObject(reasoningText)) return []
  const { text, signature } = reasoningText
  return [...reasoningEvents(text), ...signatureEvents(signature)]
}

export function sealedThoughts(data: string): ChatEvent {
  return { type: 'reasoning_state', state: sealed(data), redacted: true }
}

export function signatureEvents(signature: unknown): ChatEvent[] {
  if (typeof signature !== 'string' || signature === '') return []
  return [{ type: 'reasoning_state', state: sealed(signature) }]
}
