// How a request for reasoning becomes `thinking`, `output_config.effort` and the output limit.
import type { BuildTarget, ModelCapabilities } from '../../contract/dialect.ts'
import type { ReasoningWish } from '../../contract/neutral.ts'
import type { JsonObject } from '../../contract/json.ts'
import { claudeBudgetOf, effortOf } from '../neutral/effort.ts'
import {
  claudeCapabilities,
  claudeMaxOutput,
  claudeThinkingOff,
  claudeVersion,
} from '../neutral/model-families.ts'

/** The smallest output limit that a thinking suffix works with. */
const LEAST_SUFFIX_LIMIT = 1280
const LEAST_BUDGET = 1024

export interface Thinking {
  thinking: JsonObject | undefined
  effort: string | undefined
  maxTokens: number
  /** Sampling is fixed and tools cannot be forced while the model thinks. */
  isOn: boolean
}

export function capabilitiesOf(
  target: Pick<BuildTarget, 'upstreamModel' | 'capabilities'>,
): ModelCapabilities {
  return { ...claudeCapabilities(target.upstreamModel), ...target.capabilities }
}

/** max_tokens is required: the client's, else claude.default_max_tokens by model, by `default`, else 8192. */
export function outputLimit(
  wanted: number | undefined,
  target: Pick<BuildTarget, 'upstreamModel' | 'option'>,
): number {
  if (wanted !== undefined) return wanted
  const defaults = target.option<Record<string, number> | undefined>('claude.default_max_tokens')
  return defaults?.[target.upstreamModel] ?? defaults?.default ?? 8192
}

export function buildThinking(
  wish: ReasoningWish | undefined,
  limit: number,
  target: Pick<BuildTarget, 'upstreamModel' | 'capabilities'>,
): Thinking {
  const off: Thinking = { thinking: undefined, effort: undefined, maxTokens: limit, isOn: false }
  if (wish === undefined) return off
  switch (capabilitiesOf(target).reasoning) {
    case 'adaptive':
      return adaptive(wish, limit, target.upstreamModel)
    case 'budget':
      return budgeted(wish, limit, target.upstreamModel)
    default:
      return off
  }
}

function adaptive(wish: ReasoningWish, limit: number, model: string): Thinking {
  const effort = wish.share === undefined ? effortOf(wish) : (effortOf(wish) ?? 'high')
  if (effort === 'none') return silent(limit, model)
  const display = wish.includeThoughts === false ? 'omitted' : 'summarized'
  return {
    thinking: { type: 'adaptive', display },
    effort: effort === undefined ? undefined : adaptiveEffort(effort, model),
    maxTokens: limit,
    isOn: true,
  }
}

/** A model that always reasons is asked to reason little. */
function silent(limit: number, model: string): Thinking {
  const type = claudeThinkingOff(model)
  return type === undefined
    ? { thinking: undefined, effort: 'low', maxTokens: limit, isOn: true }
    : { thinking: { type }, effort: undefined, maxTokens: limit, isOn: false }
}

function adaptiveEffort(effort: string, model: string): string {
  if (effort === 'minimal') return 'low'
  // xhigh came with opus 4.7.
  return effort === 'xhigh' && (claudeVersion(model) ?? 407) < 407 ? 'max' : effort
}

function budgeted(wish: ReasoningWish, limit: number, model: string): Thinking {
  if (wish.share !== undefined) return shared(wish.share, limit)
  const budget = claudeBudgetOf(wish)
  if (budget === undefined && wish.budget === undefined) {
    return { thinking: undefined, effort: undefined, maxTokens: limit, isOn: false }
  }
  if (budget === 0) {
    return { thinking: { type: 'disabled' }, effort: undefined, maxTokens: limit, isOn: false }
  }
  // -1 leaves the amount to the model, which cannot be expressed here; a medium budget comes nearest.
  const wanted = budget ?? 2048
  const maxTokens = limit > wanted ? limit : Math.min(wanted + limit, claudeMaxOutput(model))
  return enabled(Math.min(wanted, Math.max(LEAST_BUDGET, maxTokens - 1)), maxTokens)
}

function shared(share: number, limit: number): Thinking {
  const maxTokens = Math.max(LEAST_SUFFIX_LIMIT, limit)
  return enabled(Math.max(LEAST_BUDGET, Math.floor(maxTokens * share)), maxTokens)
}

function enabled(budget: number, limit: number): Thinking {
  return {
    thinking: { type: 'enabled', budget_tokens: budget },
    effort: undefined,
    maxTokens: Math.max(limit, budget + 1),
    isOn: true,
  }
}

/** Applies the reasoning that a suffix of the model's name asks for to a passed-through body. What the client has set itself stays. */
export function editReasoning(
  body: JsonObject,
  wish: ReasoningWish,
  target: Pick<BuildTarget, 'upstreamModel' | 'option' | 'capabilities'>,
): JsonObject {
  if (body.thinking !== undefined) return body
  const wanted = typeof body.max_tokens === 'number' ? body.max_tokens : undefined
  const built = buildThinking(wish, outputLimit(wanted, target), target)
  if (built.thinking === undefined && built.effort === undefined) return body
  const { temperature: _temperature, top_p: _topP, top_k: _topK, ...rest } = body
  const config = (body.output_config ?? {}) as JsonObject
  return {
    ...(built.isOn ? rest : body),
    max_tokens: built.maxTokens,
    ...(built.thinking === undefined ? {} : { thinking: built.thinking }),
    ...(built.effort === undefined
      ? {}
      : { output_config: { ...config, effort: config.effort ?? built.effort } }),
  }
}
