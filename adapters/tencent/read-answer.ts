import {
  asText,
  isObject,
  objectsOf,
  UpstreamError,
  type AttemptContext,
  type ChatEvent,
  type ChatRequest,
  type FinishReason,
  type JsonObject,
  type Usage,
} from '#core'
import {
  closing,
  opening,
  reasoningEvents,
  readFailure,
  textEvents,
  tokens,
  usageOf,
  wholeCall,
} from '#adapter-kit'
import { StopCutter } from './stop-cutter.ts'

/** @throws UpstreamError for an answer without a choice */
export function readAnswer(
  body: unknown,
  _context: AttemptContext,
  request: ChatRequest,
): ChatEvent[] {
  const response = isObject(body) && isObject(body.Response) ? body.Response : undefined
  const choice = response && firstChoice(response)
  if (!response || !choice) throw new UpstreamError(readFailure(200, body))
  const message = isObject(choice.Message) ? choice.Message : {}
  const calls = objectsOf(message.ToolCalls)
  const cutter = new StopCutter(request.stop ?? [])
  const text = cutter.push(typeof message.Content === 'string' ? message.Content : '')
  return [
    startOf(response),
    ...reasoningEvents(message.ReasoningContent),
    ...textEvents(text + cutter.end()),
    ...calls.flatMap((call, index) => wholeCall(index, callOf(call))),
    ...closing(reasonOf(choice.FinishReason) ?? 'stop', usageIn(response)),
  ]
}

export function firstChoice(answer: JsonObject): JsonObject | undefined {
  const first: unknown = Array.isArray(answer.Choices) ? answer.Choices[0] : undefined
  return isObject(first) ? first : undefined
}

export function startOf({ Id: id, Created: created }: JsonObject): ChatEvent {
  return opening(id, created)
}

export function callOf(call: JsonObject): { id: string; name: string; arguments: string } {
  const target = isObject(call.Function) ? call.Function : {}
  return { id: asText(call.Id), name: asText(target.Name), arguments: asText(target.Arguments) }
}

/** Undefined while the answer goes on. */
export function reasonOf(word: unknown): FinishReason | undefined {
  if (typeof word !== 'string' || word === '') return undefined
  if (word === 'tool_calls') return 'tool_calls'
  return word === 'sensitive' ? 'filtered' : 'stop'
}

export function usageIn({ Usage: counts }: JsonObject): Usage | undefined {
  if (!isObject(counts)) return undefined
  const input = tokens(counts.PromptTokens)
  const output = tokens(counts.CompletionTokens)
  return input + output === 0 ? undefined : usageOf({ input, output })
}
