// The most that a model writes. Each provider refuses to be asked for more; clients of Claude must name a limit, and name that of
// the model for which they were made.
import { bareName, claudeMaxOutput, claudeVersion, geminiVersion } from './model-families.ts'

/** By name, first match first (platform.openai.com, model pages). Models that are not listed have no limit here. */
const OPENAI: readonly [RegExp, number][] = [
  [/^gpt-3\.5|^gpt-4-(?:turbo|1106|0125)/, 4096],
  [/^gpt-4o-2024-05-13/, 4096],
  [/^(?:chatgpt-|gpt-)4o|^gpt-4\.5|^gpt-5-chat/, 16_384],
  [/^gpt-4\.1|^o1-preview/, 32_768],
  [/^o1-mini/, 65_536],
  [/^o[134](?:-|$)/, 100_000],
  [/^gpt-5(?:\.\d{1,2})?-pro/, 272_000],
  [/^gpt-5(?:[.-]|$)/, 128_000],
]

export function openaiLimit(wanted: number | undefined, model: string): number | undefined {
  const name = bareName(model)
  return atMost(wanted, OPENAI.find(([pattern]) => pattern.test(name))?.[1])
}

export function claudeLimit(wanted: number, model: string): number {
  return claudeVersion(model) === undefined ? wanted : Math.min(wanted, claudeMaxOutput(model))
}

/** ai.google.dev, model pages; Vertex: "the supported range is from 1 (inclusive) to 65537 (exclusive)". */
export function geminiLimit(wanted: number | undefined, model: string): number | undefined {
  const version = geminiVersion(model)
  if (version === undefined) return wanted
  return atMost(wanted, version < 2.5 ? 8192 : 65_536)
}

function atMost(wanted: number | undefined, most: number | undefined): number | undefined {
  return wanted === undefined || most === undefined ? wanted : Math.min(wanted, most)
}
