// A chat request of v2. Source: docs.cohere.com/reference/chat.
import type {
  AttemptContext,
  ChatRequest,
  JsonObject,
  ReasoningWish,
  ResponseFormat,
  ToolDeclaration,
} from '#core'
import { compact, toolsNamed, withModelTexts } from '#adapter-kit'
import { citedDocuments, toDocuments } from './citations.ts'
import { toMessages } from './to-messages.ts'

export function toCohere(request: ChatRequest, context: AttemptContext): JsonObject {
  noteDropped(request, context)
  const documents = citedDocuments(request)
  const turns = withModelTexts(request.turns, (name) => context.drop(name))
  return compact({
    model: context.model,
    messages: toMessages({ ...request, turns }, new Set(documents.map(({ part }) => part))),
    documents: toDocuments(documents),
    stream: request.stream,
    max_tokens: request.maxTokens,
    temperature: request.temperature,
    p: request.topP,
    k: request.topK,
    seed: request.seed,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    stop_sequences: request.stop,
    logprobs: request.logprobs,
    response_format: toFormat(request.responseFormat),
    thinking: context.model.includes('reasoning') ? toThinking(request.reasoning) : undefined,
    ...toTools(request),
    safety_mode: safetyMode(context),
  })
}

function toTools({ tools, toolChoice }: ChatRequest): JsonObject {
  if (tools.length === 0) return {}
  switch (toolChoice?.mode) {
    case 'none':
      return { tools: tools.map(toTool), tool_choice: 'NONE' }
    case 'required':
      return { tools: tools.map(toTool), tool_choice: 'REQUIRED' }
    // A named tool cannot be forced: it is the only one offered.
    case 'one':
      return { tools: offered(tools, [toolChoice.name]), tool_choice: 'REQUIRED' }
    case 'some':
      return {
        tools: offered(tools, toolChoice.names),
        ...(toolChoice.required ? { tool_choice: 'REQUIRED' } : {}),
      }
    default:
      return { tools: tools.map(toTool) }
  }
}

function offered(tools: readonly ToolDeclaration[], names: readonly string[]): JsonObject[] {
  return toolsNamed(tools, names).map(toTool)
}

function toTool({ name, description, parameters }: ToolDeclaration): JsonObject {
  return {
    type: 'function',
    function: compact({
      name,
      description,
      parameters: parameters ?? { type: 'object', properties: {} },
    }),
  }
}

function toFormat(format: ResponseFormat | undefined): JsonObject | undefined {
  if (format?.type === 'json') return { type: 'json_object' }
  return format?.type === 'schema' ? { type: 'json_object', json_schema: format.schema } : undefined
}

function toThinking(wish: ReasoningWish | undefined): JsonObject | undefined {
  if (wish?.effort === undefined && wish?.budget === undefined) return undefined
  if (wish.effort === 'none' || wish.budget === 0) return { type: 'disabled' }
  const budget = wish.budget !== undefined && wish.budget > 0 ? wish.budget : undefined
  return compact({ type: 'enabled', token_budget: budget })
}

/** The operator's choice for all channels; NONE leaves it to Cohere. */
function safetyMode({ variable }: AttemptContext): string | undefined {
  const mode = variable('COHERE_SAFETY_SETTING')
  return mode === undefined || mode === '' || mode === 'NONE' ? undefined : mode
}

function noteDropped(request: ChatRequest, { drop, model }: AttemptContext): void {
  if ((request.count ?? 1) > 1) drop('n')
  if (request.logitBias !== undefined) drop('logit_bias')
  if (request.user !== undefined) drop('user')
  if (request.parallelToolCalls !== undefined) drop('parallel_tool_calls')
  if (request.reasoning?.effort !== undefined && !model.includes('reasoning')) {
    drop('reasoning_effort')
  }
}
