// Plugins as the console lists them.
import type { Adapter } from '../contract/adapter.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { HookFigures, PluginRow, PluginState } from '../contract/plugin-row.ts'
import type { Found } from './discover.ts'
import { type Blame, sentenceOf } from './plugin-fault.ts'

export interface RowFacts {
  found: Found
  manifest: Adapter | Plugin | undefined
  isEnabled: boolean
  isEssential: boolean
  isLoaded: boolean
  isParked: boolean
  /** The gateway runs without it because it runs with nothing from outside. */
  isHeldBySafeMode: boolean
  blame: Blame | undefined
  hostVersion: string
  hooks: HookFigures[]
}

const safeMode = {
  en: 'The gateway was started with --safe: only what comes with it is loaded. Restart it without --safe to use this one.',
  zh: '网关以 --safe 启动，仅加载自带插件。去掉 --safe 重启后才能使用此插件。',
}

export function rowOf(facts: RowFacts, language: 'en' | 'zh'): PluginRow {
  const { found, manifest, hooks } = facts
  const plugin = manifest?.kind === 'plugin' ? manifest : undefined
  return {
    id: found.id,
    name: manifest ? nameOf(manifest, language) : found.id,
    version: plugin?.version ?? (found.source === 'built-in' ? facts.hostVersion : ''),
    source: found.source,
    kind: manifest?.kind ?? kindOf(found),
    enabled: facts.isEnabled,
    is_essential: facts.isEssential,
    state: stateOf(facts),
    error: errorOf(facts, language),
    requires: plugin?.requires ?? [],
    options: Object.keys(plugin?.options?.schema.properties ?? {}),
    hooks,
  }
}

export function stateOf({
  isEnabled,
  isLoaded,
  isParked,
  isHeldBySafeMode,
  blame,
}: Pick<
  RowFacts,
  'isEnabled' | 'isLoaded' | 'isParked' | 'isHeldBySafeMode' | 'blame'
>): PluginState {
  if (isLoaded) return 'on'
  if (isParked) return 'parked'
  if (blame) return 'failed'
  return isEnabled && !isHeldBySafeMode ? 'on' : 'off'
}

function errorOf({ isLoaded, isHeldBySafeMode, blame }: RowFacts, language: 'en' | 'zh'): string {
  if (isLoaded) return ''
  if (blame) return capital(sentenceOf(blame, language))
  return isHeldBySafeMode ? safeMode[language] : ''
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What is known of a plugin that was off at the start, so that nothing of it is loaded. */
export function kindOf({ folder, source }: Found): PluginRow['kind'] {
  if (source !== 'built-in') return 'unknown'
  return folder.includes('adapters') ? 'adapter' : 'plugin'
}

function nameOf(manifest: Adapter | Plugin, language: 'en' | 'zh'): string {
  if (manifest.kind === 'plugin') return manifest.summary?.[language] ?? manifest.id
  const [first] = Object.values(manifest.channelTypes)
  return typeof first === 'string' ? first : (first?.name ?? manifest.id)
}
