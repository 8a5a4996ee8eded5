// What a model supports, derived from its name. Names at resellers and clouds contain the provider's name (`us.anthropic.claude-…`).
import type { ModelCapabilities } from '../../contract/dialect.ts'
import type { Effort } from '../../contract/neutral.ts'

/** The name without a vendor prefix (`openai/gpt-5`). */
export function bareName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1).toLowerCase()
}

/** OpenAI's own models; in the same dialect, any other name belongs to somebody else. */
export function isOpenaiModel(model: string): boolean {
  return /^(?:gpt-(?:\d|audio|realtime)|chatgpt-|o\d+(?:-|$)|codex-|computer-use-)/.test(
    bareName(model),
  )
}

/** OpenAI's reasoning models, by pattern: the first letter alone would also match `openchat`. */
export function isOpenaiReasoning(model: string): boolean {
  const name = bareName(model)
  if (/^o\d+(?:-|$)/.test(name)) return true
  const version = /^gpt-(\d+)(?:\.(\d+))?(-chat)?/.exec(name)
  if (version === null || Number(version[1]) < 5) return false
  return !(version[2] === undefined && version[3] !== undefined)
}

/** Whether a model takes stop sequences: OpenAI's from o3 and gpt-5 on refuse them (API reference, `stop`; for gpt-5
 *  github.com/huggingface/smolagents, issue 1671). */
export function takesStops(model: string): boolean {
  return !isOpenaiReasoning(model) || /^o(?:1|3-mini)(?:-|$)/.test(bareName(model))
}

/** Whether chat completions of a model take `parallel_tool_calls`: the o-series refuses it (github.com/langchain-ai/langchain,
 *  issue 29704). */
export function takesParallelSwitch(model: string): boolean {
  return !/^o\d+(?:-|$)/.test(bareName(model))
}

/** OpenAI's models without a chat endpoint (platform.openai.com, models). */
export function isResponsesOnly(model: string): boolean {
  return /^gpt-5(\.\d+)?-(codex|pro)/.test(bareName(model))
}

export interface OpenaiVersion {
  major: number
  minor: number
}

/** gpt-5.1 → {5, 1}; undefined for names without a gpt version. */
export function gptVersion(model: string): OpenaiVersion | undefined {
  const match = /^gpt-(\d+)(?:\.(\d+))?/.exec(bareName(model))
  return match === null ? undefined : { major: Number(match[1]), minor: Number(match[2] ?? 0) }
}

/** The efforts that an OpenAI model takes, lowest first; all of them for names that are not OpenAI's (developers.openai.com, reasoning and model pages). */
export function openaiEfforts(model: string): readonly Effort[] {
  if (!isOpenaiModel(model)) return ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
  const version = gptVersion(model)
  if (version === undefined) return ['low', 'medium', 'high']
  const release = version.major * 100 + version.minor
  const name = bareName(model)
  const most: Effort[] = release >= 506 ? ['xhigh', 'max'] : release >= 502 ? ['xhigh'] : []
  if (name.includes('-pro')) return release < 501 ? ['high'] : ['medium', 'high', ...most]
  // These always reason.
  if (name.includes('-codex-max')) return ['low', 'medium', 'high', 'xhigh']
  if (name.includes('-codex')) return ['low', 'medium', 'high', ...most]
  return [release < 501 ? 'minimal' : 'none', 'low', 'medium', 'high', ...most]
}

/** 405 for claude-opus-4-5 and claude-4.5-opus; undefined if the name contains no version. */
export function claudeVersion(model: string): number | undefined {
  const name = bareName(model)
  const [, major = '', minor = ''] = /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d+))?/.exec(name) ?? []
  // More digits are a date, not a version.
  const isVersion = major !== '' && major.length <= 2
  if (isVersion) return Number(major) * 100 + (minor.length <= 2 ? Number(minor) : 0)
  return name.includes('claude-instant') ? 100 : undefined
}

export function claudeCapabilities(model: string): ModelCapabilities {
  const version = claudeVersion(model)
  // An unknown name counts as a newer model (vercel/ai does the same).
  if (version === undefined) return { ...CLAUDE_NEWEST }
  const isOpus = model.includes('opus')
  return {
    reasoning: version >= 406 ? 'adaptive' : version >= 307 ? 'budget' : 'none',
    sampling: version < (isOpus ? 407 : 500),
    jsonSchema: version >= (isOpus ? 401 : 405),
    developerRole: false,
  }
}

const CLAUDE_NEWEST: ModelCapabilities = {
  reasoning: 'adaptive',
  sampling: false,
  jsonSchema: true,
  developerRole: false,
}

/** How to switch off the reasoning of a Claude model that reasons by default; undefined if that is impossible
 *  (platform.claude.com, what's new, by model). */
export function claudeThinkingOff(model: string): 'disabled' | 'between_tools' | undefined {
  const version = claudeVersion(model) ?? 0
  if (/fable|mythos/.test(bareName(model))) return undefined
  if (version < 505 || bareName(model).includes('haiku')) return 'disabled'
  return bareName(model).includes('sonnet') ? 'between_tools' : undefined
}

/** Whether a tool call can be forced while the model does not reason. The largest models refuse it from 5.1 on, the others except
 *  haiku from 5.5 on (as above). */
export function claudeTakesForce(model: string): boolean {
  const version = claudeVersion(model) ?? 0
  if (bareName(model).includes('haiku')) return true
  return version < (/fable|mythos/.test(bareName(model)) ? 501 : 505)
}

/** Whether a conversation may end with the beginning of an answer (platform.claude.com, "Prefill Claude's response"). */
export function claudeTakesBeginning(model: string): boolean {
  return (claudeVersion(model) ?? 406) < 406
}

/** The most tokens that a Claude model writes (docs.claude.com, models overview). */
export function claudeMaxOutput(model: string): number {
  const version = claudeVersion(model)
  if (version === undefined || version >= 406) return 128_000
  if (version >= 400 && version < 405 && model.includes('opus')) return 32_000
  if (version >= 307) return 64_000
  return version >= 305 ? 8192 : 4096
}

/** 2.5 for gemini-2.5-pro; names without a number (`gemini-flash-latest`) are the newest. */
export function geminiVersion(model: string): number | undefined {
  const name = bareName(model)
  if (!name.includes('gemini')) return undefined
  const match = /gemini-(\d+(?:\.\d+)?)/.exec(name)
  if (match !== null) return Number(match[1])
  return name.endsWith('-latest') ? 3 : undefined
}

/** Whether results of tools may hold pictures and files (ai.google.dev, function calling, multimodal function responses). */
export function geminiTakesMediaInResults(model: string): boolean {
  return (geminiVersion(model) ?? 0) >= 3 || model.includes('computer-use')
}

/** Gemini 2.5 and newer refuse any penalty but 0: "Penalty is not enabled for this model" (github.com/google-gemini/cookbook,
 *  issue 1290). */
export function geminiTakesPenalties(model: string): boolean {
  return (geminiVersion(model) ?? 3) < 2.5
}

export function geminiCapabilities(model: string): ModelCapabilities {
  const version = geminiVersion(model) ?? 0
  const isThinking = version >= 2.5 && !/-image|-tts|embedding/.test(model)
  return {
    reasoning: !isThinking ? 'none' : version >= 3 ? 'level' : 'budget',
    sampling: true,
    jsonSchema: true,
    developerRole: false,
  }
}

/** The thinking budgets that a Gemini 2.5 model takes; `canBeOff` says whether 0 is one of them. */
export function geminiBudgets(model: string): { least: number; most: number; canBeOff: boolean } {
  if (model.includes('flash-lite')) return { least: 512, most: 24_576, canBeOff: true }
  if (model.includes('flash')) return { least: 0, most: 24_576, canBeOff: true }
  return { least: 128, most: 32_768, canBeOff: false }
}
