import type { BuildTarget } from '../../contract/dialect.ts'
import type { ChatRequest, Part, Turn } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { compact } from '../neutral/fields.ts'
import { describedSchema, jsonInstruction } from '../neutral/json-schema.ts'
import { noteCitations } from '../neutral/citations.ts'
import { lostInTurns, withModelTexts } from '../neutral/lost-in-turns.ts'
import { claudeTakesBeginning, claudeTakesForce, claudeVersion } from '../neutral/model-families.ts'
import { refuseNativeFields, unsupportedParameter } from '../neutral/request-errors.ts'
import { withObjectRoot } from '../neutral/object-root.ts'
import { claudeLimit } from '../neutral/output-limits.ts'
import { cutHere } from '../neutral/stop-cutter.ts'
import { ANTHROPIC_NAMES, fitToolNames, type Rename } from '../neutral/tool-names.ts'
import { mergeTurns } from '../neutral/turns.ts'
import { isBlank, modelBlocks, textBlock, userBlocks } from './build-blocks.ts'
import { buildThinking, capabilitiesOf, outputLimit, type Thinking } from './build-thinking.ts'
import { buildTools, demandInstruction, isSentStrict } from './build-tools.ts'
import { fitSchema } from './fit-schema.ts'

/** The tool that carries a JSON schema, for models without structured output. */
const JSON_TOOL = 'json_answer'
const LONGEST_USER = 256
/** Fills a turn or a text that Anthropic requires and that is empty. */
const FILLER = '...'
const GO_ON = 'Please go on.'

export function buildRequest(original: ChatRequest, target: BuildTarget): JsonObject {
  refuseNativeFields(original)
  const request = withObjectRoot(original, target.hints)
  if ((request.count ?? 1) > 1)
    throw unsupportedParameter('n', 'this model gives one answer a call')
  noteCitations(request, target.hints)
  const rename = fitToolNames(request, ANTHROPIC_NAMES, target.hints)
  const spoken = withModelTexts(request.turns, (name) => target.dropped.push(name))
  const turns = mergeTurns(spoken)
  const usesJsonTool = needsJsonTool(request, target)
  const limit = claudeLimit(outputLimit(request.maxTokens, target), target.upstreamModel)
  const hasThoughts = restoreThoughts(turns, target)
  const isBegun = turns.at(-1)?.role === 'model'
  const goesOn = isBegun && claudeTakesBeginning(target.upstreamModel)
  if (isBegun && !goesOn) turns.push({ role: 'user', parts: [{ kind: 'text', text: GO_ON }] })
  const wish = usesJsonTool || !hasThoughts || goesOn ? { budget: 0 } : request.reasoning
  let thinking = buildThinking(request.reasoning === undefined ? undefined : wish, limit, target)
  // Models with budgets do not reason unless they are asked to.
  if (thinking.thinking?.type === 'disabled' && capabilitiesOf(target).reasoning === 'budget') {
    thinking = { ...thinking, thinking: undefined }
  }
  const format = formatOf(request, target, usesJsonTool)
  const canForce = !thinking.isOn && claudeTakesForce(target.upstreamModel)
  const demand = canForce ? undefined : demandInstruction(request, rename)
  if (demand !== undefined) target.dropped.push('tool_choice')
  noteDropped(request, target, thinking)
  return compact({
    model: target.upstreamModel,
    max_tokens: thinking.maxTokens,
    system: systemOf([...request.system, ...format.system, ...said(demand)]),
    messages: messagesOf(turns, rename, thinking.isOn),
    ...sampling(request, target, thinking),
    stop_sequences: stopsOf(request, target),
    ...buildTools(request, rename, {
      force: canForce,
      strict: capabilitiesOf(target).jsonSchema,
    }),
    ...format.tool,
    thinking: thinking.thinking,
    output_config: outputConfig(thinking.effort, format.schema),
    metadata: metadataOf(request),
    service_tier: tierOf(request.serviceTier),
    stream: request.stream ? true : undefined,
  })
}

function said(text: string | undefined): Part[] {
  return text === undefined ? [] : [{ kind: 'text', text }]
}

function systemOf(parts: readonly Part[]): JsonObject[] | undefined {
  const blocks = parts.flatMap((part) =>
    part.kind === 'text' && !isBlank(part.text) ? [textBlock(part.text, part.cache)] : [],
  )
  return blocks.length === 0 ? undefined : blocks
}

function messagesOf(turns: readonly Turn[], rename: Rename, isThinking: boolean): JsonObject[] {
  const messages = turns.map((turn, index) => {
    const isBeginning = turn.role === 'model' && index === turns.length - 1
    const all =
      turn.role === 'user' ? userBlocks(turn.parts) : modelBlocks(turn.parts, rename, isThinking)
    const blocks = isBeginning ? withoutTail(all) : all
    return {
      role: turn.role === 'user' ? 'user' : 'assistant',
      content: blocks.length === 0 ? [textBlock(FILLER, undefined)] : blocks,
    }
  })
  if (messages[0]?.role === 'user') return messages
  return [{ role: 'user', content: [textBlock(FILLER, undefined)] }, ...messages]
}

/** Anthropic refuses a last turn that the model should continue if its text ends in white space. */
function withoutTail(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const last = blocks.at(-1)
  return typeof last?.text === 'string'
    ? [...blocks.slice(0, -1), { ...last, text: last.text.trimEnd() }]
    : blocks
}

/** Restores reasoning that the client did not send back. During a tool loop, Claude models with budgets refuse a turn
 *  with tool calls but without their reasoning. Returns false if the last turn's reasoning is lost: then the model must
 *  not reason. */
function restoreThoughts(turns: Turn[], target: BuildTarget): boolean {
  for (const turn of turns) {
    const call = turn.parts.find((part) => part.kind === 'tool_call')
    if (call === undefined || turn.parts.some(isSealed)) continue
    turn.parts.unshift(...(target.recallState?.(call.id)?.reasoning?.filter(isSealed) ?? []))
  }
  const isLoopOpen = turns.at(-1)?.parts.some((part) => part.kind === 'tool_result') === true
  const last = turns.at(-2)
  if (!isLoopOpen || last?.role !== 'model') return true
  const hasCall = last.parts.some((part) => part.kind === 'tool_call')
  return !hasCall || last.parts.some(isSealed) || capabilitiesOf(target).reasoning !== 'budget'
}

function isSealed(part: Part): boolean {
  return part.kind === 'reasoning' && part.state?.owner === 'anthropic'
}

function sampling(request: ChatRequest, target: BuildTarget, thinking: Thinking): JsonObject {
  const takes = capabilitiesOf(target).sampling && !thinking.isOn
  if (!takes) {
    if (request.temperature !== undefined) target.dropped.push('temperature')
    if (request.topP !== undefined) target.dropped.push('top_p')
    if (request.topK !== undefined) target.dropped.push('top_k')
    return {}
  }
  // From 4.1 on temperature and top_p exclude each other (unconfirmed for the single models).
  const isEither = (claudeVersion(target.upstreamModel) ?? 0) >= 401
  const dropsTopP = isEither && request.temperature !== undefined && request.topP !== undefined
  if (dropsTopP) target.dropped.push('top_p')
  return {
    temperature: request.temperature === undefined ? undefined : Math.min(1, request.temperature),
    top_p: dropsTopP ? undefined : request.topP,
    top_k: request.topK,
  }
}

/** Anthropic refuses stop sequences of white space, so the gateway cuts the text at these itself, if it reads the answer. */
function stopsOf({ stop }: ChatRequest, target: BuildTarget): string[] | undefined {
  if (stop === undefined) return undefined
  const blank = [...new Set(stop)].filter((text) => text !== '' && text.trim() === '')
  cutHere(blank, target)
  const sent = stop.filter((text) => text.trim() !== '')
  return sent.length === 0 ? undefined : sent
}

function needsJsonTool(request: ChatRequest, target: BuildTarget): boolean {
  return (
    request.responseFormat?.type === 'schema' &&
    !capabilitiesOf(target).jsonSchema &&
    request.tools.length === 0 &&
    request.hostedTools.length === 0 &&
    target.hints !== undefined
  )
}

interface Format {
  system: Part[]
  schema?: JsonObject
  tool?: JsonObject
}

function formatOf(request: ChatRequest, target: BuildTarget, usesJsonTool: boolean): Format {
  const format = request.responseFormat
  if (format?.type === 'json') return { system: said(jsonInstruction()) }
  if (format?.type !== 'schema') return { system: [] }
  if (usesJsonTool && target.hints !== undefined) {
    target.hints.jsonTool = JSON_TOOL
    const description = format.description ?? 'Gives the answer.'
    const tool = { name: JSON_TOOL, description, input_schema: format.schema }
    return { system: [], tool: { tools: [tool], tool_choice: { type: 'tool', name: JSON_TOOL } } }
  }
  const described = describedSchema(format)
  const schema = capabilitiesOf(target).jsonSchema ? fitSchema(described) : undefined
  return schema === undefined
    ? { system: said(jsonInstruction(described)) }
    : { system: [], schema }
}

function outputConfig(
  effort: string | undefined,
  schema: JsonObject | undefined,
): JsonObject | undefined {
  if (effort === undefined && schema === undefined) return undefined
  return compact({
    effort,
    format: schema === undefined ? undefined : { type: 'json_schema', schema },
  })
}

function metadataOf(request: ChatRequest): JsonObject | undefined {
  const { user } = request
  return user === undefined || user.length > LONGEST_USER ? undefined : { user_id: user }
}

function tierOf(tier: string | undefined): string | undefined {
  return tier === 'auto' || tier === 'standard_only' ? tier : undefined
}

function noteDropped(request: ChatRequest, target: BuildTarget, thinking: Thinking): void {
  const takesStrict = capabilitiesOf(target).jsonSchema
  const lost: Record<string, unknown> = {
    seed: request.seed,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    logit_bias: request.logitBias,
    logprobs: request.logprobs,
    top_logprobs: request.topLogprobs,
    verbosity: request.verbosity,
    metadata: request.metadata,
    store: request.store,
    prompt_cache_key: request.promptCacheKey,
    safetySettings: request.safetySettings,
    audio: request.audio,
    modalities: request.modalities?.some((kind) => kind !== 'text') || undefined,
    imageConfig: request.imageConfig,
    'tools.strict':
      request.tools.some((tool) => tool.strict && !isSentStrict(tool, takesStrict)) || undefined,
    user: metadataOf(request) === undefined ? request.user : undefined,
    service_tier:
      tierOf(request.serviceTier) === undefined && request.serviceTier !== 'default'
        ? request.serviceTier
        : undefined,
    reasoning:
      thinking.thinking === undefined && (thinking.isOn || (request.reasoning?.budget ?? 1) !== 0)
        ? request.reasoning
        : undefined,
  }
  for (const [name, value] of Object.entries(lost))
    if (value !== undefined) target.dropped.push(name)
  target.dropped.push(
    ...lostInTurns(request, {
      cacheMarks: true,
      citations: true,
      failures: true,
      toolsOf: 'anthropic-messages',
    }),
  )
}
