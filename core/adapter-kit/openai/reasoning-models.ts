// Fields that OpenAI's reasoning models refuse, or have another name for (platform.openai.com, reasoning guide). For
// adapters that pass chat bodies to OpenAI itself or to Azure.
import type { Body, ResolvedModel } from '../../contract/adapter.ts'
import { isObject } from '../../contract/json.ts'
import { isEffort } from '../../dialects/neutral/effort.ts'
import { renamed, withoutRefused } from '../body-edits.ts'
import { bareName, gptVersion, isOpenaiReasoning } from '../../dialects/neutral/model-families.ts'

const REFUSED = [
  'temperature',
  'top_p',
  'logprobs',
  'top_logprobs',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
] as const

const TAKEN_WITHOUT_EFFORT: ReadonlySet<string> = new Set([
  'temperature',
  'top_p',
  'logprobs',
  'top_logprobs',
])

/** Returns the same body when nothing is to be changed. */
export function fitReasoningModel(body: Body, drop: (field: string) => void = () => {}): Body {
  const model = typeof body.model === 'string' ? body.model : ''
  if (model.includes('search-preview')) return withoutRefused(body, ['temperature', 'top_p'], drop)
  if (!isOpenaiReasoning(model)) return body
  const isSampling = takesSampling(model, body)
  const refused = REFUSED.filter((name) => !(isSampling && TAKEN_WITHOUT_EFFORT.has(name)))
  const accepted = withoutRefused(body, refused, drop)
  return withDeveloper(renamed(accepted, 'max_tokens', 'max_completion_tokens'), model)
}

/** From gpt-5.1 on, sampling parameters are accepted while the model does not reason. */
function takesSampling(model: string, body: Body): boolean {
  const version = gptVersion(model)
  if (version === undefined || body.reasoning_effort !== 'none') return false
  return version.major > 5 || version.minor >= 1
}

function withDeveloper(body: Body, model: string): Body {
  if (/^o1-(?:mini|preview)/.test(bareName(model)) || !Array.isArray(body.messages)) return body
  const first: unknown = body.messages[0]
  if (!isObject(first) || first.role !== 'system') return body
  return { ...body, messages: [{ ...first, role: 'developer' }, ...body.messages.slice(1)] }
}

/** `o3-mini-high` is o3-mini with effort high. */
export function resolveEffortSuffix(model: string): ResolvedModel {
  const match = /^(.+)-([a-z]+)$/.exec(model)
  const base = match?.[1] ?? ''
  const effort = match?.[2]
  if (!isEffort(effort) || !isOpenaiReasoning(base)) return { model }
  // gpt-5.1-codex-max is a model's own name.
  if (effort === 'max' && base.includes('codex')) return { model }
  return { model: base, effort }
}
