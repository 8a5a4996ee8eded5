// Ratios by name, for models that no map knows. The first rule that fits counts.

type NameRules = readonly (readonly [pattern: RegExp, ratio: number])[]

const completionRules: NameRules = [
  [/^gpt-4o-2024-05-13/, 3],
  [/^gpt-4o/, 4],
  [/^chatgpt-4o-latest/, 3],
  [/^gpt-4\.5-preview/, 2],
  [/^gpt-4-turbo|^gpt-4.*-110[56]$/, 3],
  [/^gpt-4/, 2],
  [/^o[13]/, 4],
  [/^gpt-3\.5-turbo$|^gpt-3\.5.*-0125$/, 3],
  [/^gpt-3\.5.*-1106$/, 2],
  [/^gpt-3\.5/, 4 / 3],
  [/^claude-(?:instant-1|2)/, 3],
  [/^claude-3/, 5],
  [/^mistral-/, 3],
  [/^gemini-(?:1\.5|2\.0)/, 4],
  [/^gemini-2\.5-pro-preview/, 8],
  [/^gemini-/, 4],
  [/^command-r-plus/, 5],
  [/^command-r/, 3],
  [/^command/, 4],
  [/^deepseek-(?:chat|reasoner)/, 4],
  [/^ERNIE-(?:Speed|Lite|Character|Functions)/, 2],
]

const cacheRules: NameRules = [
  [/^(?:gpt-|chatgpt-|o\d)/, 0.5],
  [/^deepseek/, 0.25],
  [/^claude/, 0.1],
]

const audioRules: NameRules = [
  [/^gpt-.*mini.*realtime/, 16.67],
  [/^gpt-.*realtime.*-2024-12-17$/, 8],
  [/^gpt-.*realtime/, 20],
  [/^gpt-.*mini.*-audio/, 66.67],
  [/^gpt-.*-audio.*-2024-12-17$/, 16],
  [/^gpt-.*-audio/, 40],
]

export const ruleFor = {
  completion: (model: string) => firstOf(completionRules, model),
  cache: (model: string) => firstOf(cacheRules, model),
  audio: (model: string) => firstOf(audioRules, model),
}

/** Ratios where neither a map nor a rule says anything. */
export const unset = Object.freeze({
  /** For models without a price, where self-use mode or the user accepts that. */
  model: 37.5,
  completion: 1,
  cacheRead: 1,
  cacheWrite: 1.25,
  audioCompletion: 2,
})

function firstOf(rules: NameRules, model: string): number | undefined {
  return rules.find(([pattern]) => pattern.test(model))?.[1]
}
