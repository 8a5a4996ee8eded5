// Suffixes of model names that ask a Claude or Gemini model to think. Several adapters use each of them.
import type { OptionReader, ResolvedModel } from '../contract/adapter.ts'
import { isEffort } from '../dialects/neutral/effort.ts'
import { claudeCapabilities, geminiCapabilities } from '../dialects/neutral/model-families.ts'

/** `-thinking`: a share of the output limit; `-low`, `-high` …: an effort, on models that think adaptively. */
export function resolveClaudeSuffix(model: string, options: OptionReader): ResolvedModel {
  if (model.endsWith('-thinking')) {
    if (!options.get<boolean>('claude.thinking_adapter_enabled')) return { model }
    const budgetShare = options.get<number>('claude.thinking_adapter_budget_tokens_percentage')
    return { model: withoutEnd(model, '-thinking'), thinking: { budgetShare } }
  }
  return resolveEffort(model, (name) => claudeCapabilities(name).reasoning === 'adaptive')
}

/** `-thinking`, `-thinking-<budget>` and `-nothinking` where the option is on; an effort, on models with levels. */
export function resolveGeminiSuffix(model: string, options: OptionReader): ResolvedModel {
  const budget = /^(.+)-thinking-(\d+)$/.exec(model)
  const isThinking = budget !== null || model.endsWith('-thinking') || model.endsWith('-nothinking')
  if (!isThinking) {
    return resolveEffort(model, (name) => geminiCapabilities(name).reasoning === 'level')
  }
  if (!options.get<boolean>('gemini.thinking_adapter_enabled')) return { model }
  if (budget !== null) return { model: budget[1] ?? '', thinking: { budget: Number(budget[2]) } }
  if (model.endsWith('-nothinking')) {
    return { model: withoutEnd(model, '-nothinking'), thinking: { off: true } }
  }
  const budgetShare = options.get<number>('gemini.thinking_adapter_budget_tokens_percentage')
  return { model: withoutEnd(model, '-thinking'), thinking: { budgetShare } }
}

function resolveEffort(model: string, takesEffort: (name: string) => boolean): ResolvedModel {
  const at = model.lastIndexOf('-')
  const name = model.slice(0, at)
  const effort = model.slice(at + 1)
  // A name without a version (`claude-low`) is not a model with a suffix.
  if (at < 0 || !isEffort(effort) || !/\d/.test(name) || !takesEffort(name)) return { model }
  return { model: name, effort }
}

function withoutEnd(model: string, end: string): string {
  return model.slice(0, -end.length)
}
