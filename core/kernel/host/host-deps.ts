import type { EventBus } from '../../contract/events.ts'
import type { Plugin } from '../../contract/plugin.ts'
import type { ClusterBus } from '../../contract/services.ts'
import type { Contributions } from '../contributions.ts'
import type { GenerationDeps } from '../generations.ts'
import type { PluginTable } from './plugin-records.ts'
import type { NodeStates } from './plugin-rows.ts'

export interface PluginHostDeps extends Omit<GenerationDeps, 'confirmedOf'> {
  root: string
  version: string
  pluginDirs: readonly string[]
  /** Where the gateway installs plugins. */
  installedDir: string
  /** Built-in plugins that are off at the first start; external ones are off until somebody switches them on. */
  offAtFirstStart: readonly string[]
  /** No external plugins are loaded. */
  isSafe: boolean
  table: PluginTable
  cluster: ClusterBus
  events: EventBus
  /** Reports when a command beside the gateway has changed table or folders; returns the disposer. */
  follow(onChange: () => void): () => void
  /** The states of plugins on other nodes. */
  nodes: NodeStates
  /** Called at the start with the built-in plugins, on or off. */
  reserveOptions(plugins: readonly Plugin[]): void
  /** Makes the options of core and of these contributions the ones that can be written and listed. */
  defineOptions(contributions: Contributions): void
  /** Called after each swap but the first: adapters may have come or gone. */
  afterSwap(): Promise<void>
}
