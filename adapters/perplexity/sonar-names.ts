// Names of the withdrawn Sonar API. Each means the one Sonar model that is left, with the depth of search of the preset that Perplexity names for it.
const PRESETS: ReadonlyMap<string, string | undefined> = new Map([
  ['sonar', undefined],
  ['sonar-pro', 'low'],
  ['sonar-reasoning', 'low'],
  ['sonar-reasoning-pro', 'medium'],
  ['sonar-deep-research', 'high'],
])

export const SONAR = 'perplexity/sonar'

export function isSonar(model: string): boolean {
  return PRESETS.has(model)
}

export function presetOf(model: string): string | undefined {
  return PRESETS.get(model)
}
