// Plugins as `/api/plugin` lists them: the host says it, the plugins screen shows it.

export type PluginSource = 'built-in' | 'folder' | 'package'

/** `failed`: switched on, or tried, and left out. `parked`: it failed twice and is not tried again until somebody says so. */
export type PluginState = 'on' | 'off' | 'failed' | 'parked'

/** What one hook of a plugin cost on the node that answers, since the process began. */
export interface HookFigures {
  /** `relay hook`, `job` … */
  point: string
  id: string
  calls: number
  errors: number
  /** Calls that took longer than they may. */
  late: number
  total_ms: number
  longest_ms: number
  is_parked: boolean
  last_error: string
}

export interface PluginRow {
  id: string
  name: string
  version: string
  source: PluginSource
  kind: 'plugin' | 'adapter' | 'unknown'
  enabled: boolean
  /** It cannot be switched off. */
  is_essential: boolean
  /** On the node that answers. */
  state: PluginState
  /** Why it is left out and what to do, one sentence; empty otherwise. */
  error: string
  requires: readonly string[]
  /** Keys of its options. */
  options: string[]
  hooks: HookFigures[]
}
