// thinkingConfig: a budget for Gemini 2.5, a level from Gemini 3 on.
import type { BuildTarget, ModelCapabilities } from '../../contract/dialect.ts'
import type { Effort, ReasoningWish } from '../../contract/neutral.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { effortOf } from '../neutral/effort.ts'
import { compact } from '../neutral/fields.ts'
import {
  bareName,
  geminiBudgets,
  geminiCapabilities,
  geminiVersion,
} from '../neutral/model-families.ts'

/** The most that a suffix's share of the output limit may ask for. */
const MOST_BY_SHARE = 24_576

const SHARES: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 0.05,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 1,
  max: 1,
}

function capabilitiesOf(
  target: Pick<BuildTarget, 'upstreamModel' | 'capabilities'>,
): ModelCapabilities {
  return { ...geminiCapabilities(target.upstreamModel), ...target.capabilities }
}

export function buildThinking(
  wish: ReasoningWish | undefined,
  limit: number | undefined,
  target: Pick<BuildTarget, 'upstreamModel' | 'capabilities'>,
): JsonObject | undefined {
  if (wish === undefined) return undefined
  const { reasoning } = capabilitiesOf(target)
  if (reasoning === 'none') return undefined
  const thinking =
    reasoning === 'level'
      ? { thinkingLevel: levelOf(wish, target.upstreamModel) }
      : { thinkingBudget: budgetOf(wish, limit, target.upstreamModel) }
  const isOff = 'thinkingBudget' in thinking && thinking.thinkingBudget === 0
  const built = compact({
    ...thinking,
    includeThoughts: isOff ? undefined : wish.includeThoughts,
  })
  return Object.keys(built).length === 0 ? undefined : built
}

function budgetOf(
  wish: ReasoningWish,
  limit: number | undefined,
  model: string,
): number | undefined {
  const range = geminiBudgets(model)
  if (wish.budget !== undefined) {
    return wish.budget < 0 ? -1 : clamp(wish.budget, range)
  }
  if (wish.share !== undefined && limit !== undefined) {
    return clamp(Math.min(MOST_BY_SHARE, Math.floor(limit * wish.share)), range)
  }
  if (wish.effort === undefined) return undefined
  return clamp(Math.floor(SHARES[wish.effort] * range.most), range)
}

function clamp(budget: number, range: { least: number; most: number; canBeOff: boolean }): number {
  if (budget === 0 && range.canBeOff) return 0
  return Math.min(range.most, Math.max(range.least, budget))
}

function levelOf(wish: ReasoningWish, model: string): string | undefined {
  const effort = effortOf(wish)
  switch (effort) {
    case undefined:
      return undefined
    case 'none':
    case 'minimal':
      return lowestLevel(model)
    case 'xhigh':
    case 'max':
      return 'high'
    default:
      return effort
  }
}

/** Only flash models before 3.7 support `minimal`; all support `low` (cloud.google.com, developer's guides of the models). */
function lowestLevel(model: string): string {
  const name = bareName(model)
  const isNewest = name.endsWith('-latest') || (geminiVersion(model) ?? 0) >= 3.7
  return name.includes('flash') && !isNewest ? 'minimal' : 'low'
}

/** Applies the reasoning that a suffix of the model's name asks for to a passed-through body. What the client has set itself stays. */
export function editReasoning(
  body: JsonObject,
  wish: ReasoningWish,
  target: Pick<BuildTarget, 'upstreamModel' | 'capabilities'>,
): JsonObject {
  const key = body.generation_config === undefined ? 'generationConfig' : 'generation_config'
  const config = isObject(body[key]) ? body[key] : {}
  const ownConfig = config.thinkingConfig ?? config.thinking_config
  if (isObject(ownConfig) && Object.keys(ownConfig).length > 0) return body
  const limit = config.maxOutputTokens ?? config.max_output_tokens
  const thinking = buildThinking(wish, typeof limit === 'number' ? limit : undefined, target)
  if (thinking === undefined) return body
  return { ...body, [key]: { ...config, thinkingConfig: thinking } }
}
