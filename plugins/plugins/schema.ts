export type { HookFigures, PluginAsks, PluginRow, PluginVersion } from '#core'
