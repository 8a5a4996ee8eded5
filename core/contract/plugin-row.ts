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
  /** Of a plugin from outside: it does not say for which contract it was written. */
  lacks_range: boolean
  /** Those that the gateway has installed on this node, the newest first. */
  versions: PluginVersion[]
  /** Other nodes on which it is otherwise than here. */
  nodes: PluginOnNode[]
}

export interface PluginVersion {
  version: string
  is_current: boolean
  /** Why it was not taken when somebody asked for it; empty otherwise. */
  error: string
  /** Steps of its tables that the current version has and this one does not know: going back does not undo them. */
  newer_steps: readonly string[]
}

/** What a plugin from outside asks for. */
export interface PluginAsks {
  asks: {
    /** host, origin, secret, variable, route, table, service, console, command or channel. */
    kind: string
    /** `*`: it does not say which, so all. */
    name: string
    /** Not among what was confirmed before. */
    is_new: boolean
  }[]
  /** Of the whole list; sent as `confirm` by who has seen it. */
  hash: string
  /** Whether somebody has to confirm something. */
  is_open: boolean
}

/** How a plugin does on another node. */
export interface PluginOnNode {
  node: string
  /** Name of the machine, with the process id. */
  host: string
  state: PluginState
  version: string
  error: string
}
