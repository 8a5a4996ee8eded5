// Limits, sampling and thinking. Source: docs.aws.amazon.com/bedrock, API reference InferenceConfiguration, and the vendors' pages of inference
// parameters; docs.aws.amazon.com/nova, "Extended thinking"; "OpenAI models" for reasoning_effort.
import type { ChatRequest, Effort, JsonObject, ReasoningWish } from '#core'
import { compact, effortOf, nearestEffort } from '#adapter-kit'
import type { Traits } from './converse-traits.ts'

type Drop = (field: string) => void

const LEVELS = ['low', 'medium', 'high'] as const satisfies readonly Effort[]

interface ModelFields {
  /** inferenceConfig */
  limits: JsonObject
  /** additionalModelRequestFields */
  fields: JsonObject
}

export function modelFields(request: ChatRequest, traits: Traits, drop: Drop): ModelFields {
  const thinking = thinkingFields(request.reasoning, traits, drop)
  return {
    limits: isNovaAtItsBest(thinking)
      ? withoutLimits(request, drop)
      : limits(request, traits, drop),
    fields: { ...thinking, ...topK(request.topK, traits, drop) },
  }
}

function limits(request: ChatRequest, traits: Traits, drop: Drop): JsonObject {
  if (!traits.takesSampling) {
    if (request.temperature !== undefined) drop('temperature')
    if (request.topP !== undefined) drop('top_p')
  }
  if (!traits.takesStop && request.stop !== undefined) drop('stop')
  const takes = traits.takesSampling
  return compact({
    maxTokens: request.maxTokens,
    // No vendor behind Converse takes a temperature above 1.
    temperature:
      takes && request.temperature !== undefined ? Math.min(1, request.temperature) : undefined,
    topP: takes ? request.topP : undefined,
    stopSequences: traits.takesStop ? request.stop : undefined,
  })
}

function isNovaAtItsBest({ reasoningConfig }: JsonObject): boolean {
  return (
    reasoningConfig !== undefined &&
    (reasoningConfig as JsonObject)['maxReasoningEffort'] === 'high'
  )
}

/** "maxTokens must be unset when … maxReasoningEffort is 'high'", the runtime says; the page says it of temperature and topP too. */
function withoutLimits(request: ChatRequest, drop: Drop): JsonObject {
  if (request.maxTokens !== undefined) drop('max_tokens')
  if (request.temperature !== undefined) drop('temperature')
  if (request.topP !== undefined) drop('top_p')
  return compact({ stopSequences: request.stop })
}

function topK(count: number | undefined, { vendor }: Traits, drop: Drop): JsonObject {
  if (count === undefined) return {}
  switch (vendor) {
    case 'amazon':
      return { inferenceConfig: { topK: count } }
    case 'anthropic':
    case 'mistral':
      return { top_k: count }
    case 'cohere':
      return { k: count }
    default:
      drop('top_k')
      return {}
  }
}

function thinkingFields(wish: ReasoningWish | undefined, traits: Traits, drop: Drop): JsonObject {
  const effort = effortOf(wish)
  if (effort === undefined) return {}
  if (traits.name.startsWith('amazon.nova-2-')) {
    if (effort === 'none') return { reasoningConfig: { type: 'disabled' } }
    return {
      reasoningConfig: { type: 'enabled', maxReasoningEffort: nearestEffort(effort, LEVELS) },
    }
  }
  if (traits.vendor === 'openai') return { reasoning_effort: nearestEffort(effort, LEVELS) }
  // Other models always think, never do, or have a switch of their own, which an admin can set with param_override.
  drop('reasoning_effort')
  return {}
}
