export type { HookFigures, PluginRow } from '#core'
