// Plugins as the console lists them.
import type { Adapter } from '../../contract/adapter.ts'
import type { Plugin } from '../../contract/plugin.ts'
import type {
  HookFigures,
  PluginOnNode,
  PluginRow,
  PluginState,
  PluginVersion,
} from '../../contract/plugin-row.ts'
import { type Found, isExternal } from '../discover.ts'
import { nameOf } from '../manifest/plugin-facts.ts'
import { type Blame, sentenceOf } from '../plugin-fault.ts'

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
  versions: readonly Found[]
  /** Why a version was not taken, by its folder. */
  refused: ReadonlyMap<string, Blame>
  nodes: readonly NodeState[]
}

/** What a node tells the others of a plugin from outside. */
export interface OwnState {
  id: string
  state: PluginState
  version: string
  blame?: Blame
}

/** The same, as another node has told it. */
export interface NodeState extends Omit<OwnState, 'id'> {
  node: string
  host: string
}

export interface NodeStates {
  of(id: string): readonly NodeState[]
  /** Something has changed here. */
  announce(): void
  close(): void
}

const safeMode = {
  en: 'The gateway was started with --safe: only what comes with it is loaded. Restart it without --safe to use this one.',
  zh: '网关以 --safe 启动，仅加载自带插件。去掉 --safe 重启后才能使用此插件。',
}

export function rowOf(facts: RowFacts, language: 'en' | 'zh'): PluginRow {
  const { found, manifest, hooks } = facts
  const plugin = manifest?.kind === 'plugin' ? manifest : undefined
  const own = found.facts
  const name = manifest ? nameOf(manifest, language) : (own?.name[language] ?? found.id)
  const options = plugin ? Object.keys(plugin.options?.schema.properties ?? {}) : own?.options
  const row = {
    id: found.id,
    name,
    version: versionOf(facts),
    source: found.source,
    kind: manifest?.kind ?? own?.kind ?? kindOf(found),
    enabled: facts.isEnabled,
    is_essential: facts.isEssential,
    state: stateOf(facts),
    error: errorOf(facts, language),
    requires: plugin?.requires ?? own?.requires ?? [],
    options: options ?? [],
    hooks,
    lacks_range: isExternal(found) && lacksRange(found, manifest),
    versions: versionsOf(facts, language),
  }
  return { ...row, nodes: nodesOf(facts, row, language) }
}

export function ownStateOf(facts: RowFacts): OwnState {
  const { found, blame, isLoaded } = facts
  const own = { id: found.id, state: stateOf(facts), version: versionOf(facts) }
  return blame && !isLoaded ? { ...own, blame } : own
}

function versionOf({ found, manifest, hostVersion }: RowFacts): string {
  const said = manifest?.kind === 'plugin' ? manifest.version : undefined
  return found.version ?? said ?? (isExternal(found) ? '' : hostVersion)
}

/** False where nothing is known of it yet. */
function lacksRange({ facts }: Found, manifest: Adapter | Plugin | undefined): boolean {
  if (manifest) return manifest.kind === 'plugin' && manifest.contract === undefined
  return facts?.kind === 'plugin' && facts.contract === ''
}

function versionsOf(
  { found, versions, refused }: RowFacts,
  language: 'en' | 'zh',
): PluginVersion[] {
  return versions.map((one) => {
    const blame = refused.get(one.folder)
    return {
      version: one.version ?? '',
      is_current: one.folder === found.folder,
      error: blame ? capital(sentenceOf(blame, language)) : '',
      newer_steps: newerSteps(found, one),
    }
  })
}

/** Migration steps that the current version has and the other does not. */
export function newerSteps(current: Found, other: Found): string[] {
  const known = new Set(other.facts?.migrations)
  return (current.facts?.migrations ?? []).filter((step) => !known.has(step))
}

/** Nodes on which the plugin's state differs from this one. A plugin that is off everywhere may be missing; built-in plugins are not reported. */
function nodesOf(
  { nodes, isEnabled, found }: RowFacts,
  { state, version }: Pick<PluginRow, 'state' | 'version'>,
  language: 'en' | 'zh',
): PluginOnNode[] {
  const isMissed = isEnabled && isExternal(found)
  return nodes
    .filter((other) => other.state !== state || other.version !== version)
    .filter(({ blame }) => isMissed || blame?.stage !== 'absent')
    .map(({ blame, ...other }) => ({
      ...other,
      error: blame ? capital(sentenceOf(blame, language)) : '',
    }))
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

/** What is known of a plugin that was off at the start and therefore not loaded. */
export function kindOf({ folder, source }: Found): PluginRow['kind'] {
  if (source !== 'built-in') return 'unknown'
  return folder.includes('adapters') ? 'adapter' : 'plugin'
}
