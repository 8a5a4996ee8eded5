import type { BuildTarget } from '../../contract/dialect.ts'
import type { ChatRequest, ReasoningWish, ToolDeclaration } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { effortOf, nearestEffort } from '../neutral/effort.ts'
import { compact } from '../neutral/fields.ts'
import { freeformNames } from '../neutral/freeform-tools.ts'
import { closesAllObjects, jsonInstruction, saysJson } from '../neutral/json-schema.ts'
import { withItems } from '../neutral/schema-items.ts'
import { lostInTurns, withModelTexts } from '../neutral/lost-in-turns.ts'
import { isOpenaiModel, isOpenaiReasoning, openaiEfforts } from '../neutral/model-families.ts'
import {
  chatCapabilities,
  isHarmlessTier,
  userField,
  usualTier,
} from '../openai-chat/build-request.ts'
import { withObjectParameters, withObjectRoot } from '../neutral/object-root.ts'
import { openaiLimit } from '../neutral/output-limits.ts'
import {
  isDispensable,
  refuseNativeFields,
  unsupportedParameter,
  unsupportedTool,
} from '../neutral/request-errors.ts'
import { cutHere } from '../neutral/stop-cutter.ts'
import { fitToolNames, OPENAI_NAMES, type Rename } from '../neutral/tool-names.ts'
import { buildItems } from './build-items.ts'
import { clientToolsOf } from './client-tools.ts'

/** OpenAI refuses a smaller max_output_tokens with 400. */
const LEAST_OUTPUT = 16

export function buildRequest(original: ChatRequest, target: BuildTarget): JsonObject {
  refuseNativeFields(original)
  const request = withObjectRoot(original, target.hints)
  if ((request.count ?? 1) > 1)
    throw unsupportedParameter('n', 'this model gives one answer a call')
  const { upstreamModel: model } = target
  const turns = withModelTexts(request.turns, (name) => target.dropped.push(name))
  const spoken = { turns, tools: request.tools }
  const rename = fitToolNames(request, OPENAI_NAMES, target.hints)
  const reasoning = buildReasoning(request.reasoning, target)
  noteDropped(request, target)
  const sampled = sampling(request, target, reasoning?.effort === 'none')
  return compact({
    model,
    ...inputOf(request, [...jsonWord(request), ...buildItems(spoken, rename, target.recallState)]),
    max_output_tokens: outputLimit(request.maxTokens, model),
    ...sampled,
    ...toolFields(request, rename),
    text: textField(request),
    reasoning,
    // The upstream stores nothing, so the model's reasoning must be part of the conversation.
    include: includes(model, sampled.top_logprobs !== undefined),
    store: false,
    user: userField(request.user, model),
    metadata: request.metadata,
    service_tier: usualTier(request.serviceTier),
    prompt_cache_key: request.promptCacheKey,
    stream: request.stream ? true : undefined,
  })
}

function includes(model: string, hasLogprobs: boolean): string[] | undefined {
  const wanted = [
    ...(isOpenaiReasoning(model) ? ['reasoning.encrypted_content'] : []),
    ...(hasLogprobs ? ['message.output_text.logprobs'] : []),
  ]
  return wanted.length === 0 ? undefined : wanted
}

/** Instructions alone are refused for want of input, so they are it. */
function inputOf({ system }: ChatRequest, items: JsonObject[]): JsonObject {
  const texts = system.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  const instructions = texts.length === 0 ? undefined : texts.join('\n\n')
  return instructions === undefined || items.length > 0
    ? { instructions, input: items }
    : { input: [instruction(instructions)] }
}

function instruction(text: string): JsonObject {
  return { type: 'message', role: 'developer', content: [{ type: 'input_text', text }] }
}

/** OpenAI requires the word "JSON" in the input; the instructions do not count. */
function jsonWord({ responseFormat, turns }: ChatRequest): JsonObject[] {
  if (responseFormat?.type !== 'json' || saysJson({ system: [], turns })) return []
  return [instruction(jsonInstruction())]
}

function outputLimit(wanted: number | undefined, model: string): number | undefined {
  if (wanted === undefined || !isOpenaiModel(model)) return wanted
  return openaiLimit(Math.max(LEAST_OUTPUT, wanted), model)
}

function buildReasoning(
  wish: ReasoningWish | undefined,
  target: Pick<BuildTarget, 'upstreamModel' | 'capabilities'>,
): JsonObject | undefined {
  const can = { ...chatCapabilities(target.upstreamModel), ...target.capabilities }
  if (wish === undefined || can.reasoning === 'none') return undefined
  const effort = effortOf(wish)
  const built = compact({
    effort:
      effort === undefined ? undefined : nearestEffort(effort, openaiEfforts(target.upstreamModel)),
    summary: wish.summary ?? (wish.includeThoughts === true ? 'auto' : undefined),
  })
  return Object.keys(built).length === 0 ? undefined : built
}

/** Applies the reasoning that a suffix of the model's name asks for to a passed-through body. */
export function editReasoning(
  body: JsonObject,
  wish: ReasoningWish,
  target: Pick<BuildTarget, 'upstreamModel' | 'capabilities'>,
): JsonObject {
  const built = buildReasoning({ ...wish, includeThoughts: undefined }, target)
  if (built === undefined) return body
  return { ...body, reasoning: { ...(isObject(body.reasoning) ? body.reasoning : {}), ...built } }
}

function sampling(request: ChatRequest, target: BuildTarget, isNotThinking: boolean): JsonObject {
  const can = { ...chatCapabilities(target.upstreamModel), ...target.capabilities }
  const logprobs = request.logprobs === true ? { top_logprobs: request.topLogprobs ?? 0 } : {}
  if (can.sampling || isNotThinking) {
    return { temperature: request.temperature, top_p: request.topP, ...logprobs }
  }
  if (request.temperature !== undefined) target.dropped.push('temperature')
  if (request.topP !== undefined) target.dropped.push('top_p')
  if (request.logprobs === true) target.dropped.push('logprobs')
  return {}
}

/** Writes `tools`, `tool_choice` and `parallel_tool_calls`; also repeated in the answers to clients of this dialect. */
function toolFields(request: ChatRequest, rename: Rename): JsonObject {
  const hosted = request.hostedTools.flatMap((tool) => {
    if (tool.dialect === 'openai-responses') return [tool.raw]
    if (isDispensable(tool, request)) return []
    throw unsupportedTool(tool)
  })
  const hasOwnSearch = request.hostedTools.some(
    (tool) => tool.dialect === 'openai-responses' && tool.kind === 'web_search',
  )
  const search = hasOwnSearch ? [] : searchTool(request)
  const tools = [
    ...request.tools.map((tool) => buildTool(withObjectParameters(tool), rename)),
    ...hosted,
    ...search,
  ]
  if (tools.length === 0) return {}
  return {
    tools,
    tool_choice: buildChoice(request, rename),
    parallel_tool_calls: request.parallelToolCalls,
  }
}

/** `strict` is always written, because this API takes a missing one for true. */
export function buildTool(tool: ToolDeclaration, rename: Rename): JsonObject {
  if (tool.ofClient !== undefined) return tool.ofClient
  if (tool.freeform !== undefined) {
    const { description } = tool
    return compact({ type: 'custom', name: rename(tool.name), description, ...tool.freeform })
  }
  return {
    type: 'function',
    name: rename(tool.name),
    ...compact({ description: tool.description }),
    parameters: tool.parameters ? withItems(tool.parameters) : null,
    strict: tool.strict ?? false,
  }
}

function searchTool({ webSearch }: ChatRequest): JsonObject[] {
  if (webSearch === undefined) return []
  const location = webSearch.userLocation
  const place = isObject(location?.approximate) ? location.approximate : location
  const { allowedDomains } = webSearch
  return [
    compact({
      type: 'web_search',
      search_context_size: webSearch.contextSize,
      user_location: place === undefined ? undefined : { type: 'approximate', ...place },
      filters: allowedDomains && { allowed_domains: allowedDomains },
    }),
  ]
}

export function buildChoice(
  { toolChoice: choice, tools }: Pick<ChatRequest, 'toolChoice' | 'tools'>,
  rename: Rename,
): unknown {
  const freeform = freeformNames({ tools })
  const clientTools = clientToolsOf({ tools })
  const named = (name: string) => {
    const type = clientTools.get(name)?.type
    return type
      ? { type }
      : { type: freeform.has(name) ? 'custom' : 'function', name: rename(name) }
  }
  switch (choice?.mode) {
    case 'one':
      return named(choice.name)
    case 'some':
      return {
        type: 'allowed_tools',
        mode: choice.required ? 'required' : 'auto',
        tools: choice.names.map(named),
      }
    default:
      return choice?.mode
  }
}

function textField(request: ChatRequest): JsonObject | undefined {
  const format = formatField(request.responseFormat)
  if (format === undefined && request.verbosity === undefined) return undefined
  return compact({ format, verbosity: request.verbosity })
}

export function formatField(format: ChatRequest['responseFormat']): JsonObject | undefined {
  if (format?.type === 'json') return { type: 'json_object' }
  if (format?.type !== 'schema') return undefined
  const schema = withItems(format.schema)
  return compact({
    type: 'json_schema',
    name: format.name ?? 'response',
    description: format.description,
    schema,
    strict: format.strict ?? (schema === format.schema && closesAllObjects(schema)),
  })
}

function wantsThought(wish: ReasoningWish | undefined): boolean {
  return wish !== undefined && wish.effort !== 'none' && wish.budget !== 0
}

function noteDropped(request: ChatRequest, target: BuildTarget): void {
  const lost: Record<string, unknown> = {
    seed: request.seed,
    top_k: request.topK,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    logit_bias: request.logitBias,
    audio: request.audio,
    modalities: request.modalities?.some((kind) => kind !== 'text') || undefined,
    store: request.store,
    safetySettings: request.safetySettings,
    user: userField(request.user, target.upstreamModel) === undefined ? request.user : undefined,
    imageConfig: request.imageConfig,
    blocked_domains: request.webSearch?.blockedDomains,
    reasoning:
      wantsThought(request.reasoning) && buildReasoning(request.reasoning, target) === undefined
        ? request.reasoning
        : undefined,
    service_tier: isHarmlessTier(request.serviceTier) ? undefined : request.serviceTier,
  }
  for (const [name, value] of Object.entries(lost))
    if (value !== undefined) target.dropped.push(name)
  // This dialect has no stop sequences.
  cutHere(
    [...new Set(request.stop)].filter((text) => text !== ''),
    target,
  )
  target.dropped.push(...lostInTurns(request, { details: true, toolsOf: 'openai-responses' }))
}
