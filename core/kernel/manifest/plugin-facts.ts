// What is known of an installed version without loading its code: written beside it when it was installed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Adapter } from '../../contract/adapter.ts'
import type { Plugin } from '../../contract/plugin.ts'
import { asksOf } from './asks.ts'

const factsFileName = '.tollgate.json'

const pluginFacts = Type.Object({
  id: Type.String(),
  version: Type.String(),
  kind: Type.Union([Type.Literal('plugin'), Type.Literal('adapter')]),
  name: Type.Object({ en: Type.String(), zh: Type.String() }),
  /** Empty: it does not say for which contract it was written. */
  contract: Type.String(),
  asks: Type.Array(Type.String()),
  options: Type.Array(Type.String()),
  migrations: Type.Array(Type.String()),
  requires: Type.Array(Type.String()),
  /** Of its folder. */
  entry: Type.String(),
})
export type PluginFacts = Static<typeof pluginFacts>

export function factsOf(manifest: Adapter | Plugin, entry: string, version: string): PluginFacts {
  const plugin: Partial<Plugin> = manifest.kind === 'plugin' ? manifest : {}
  return {
    id: manifest.id,
    version,
    kind: manifest.kind,
    name: { en: nameOf(manifest, 'en'), zh: nameOf(manifest, 'zh') },
    contract: plugin.contract ?? '',
    asks: [...asksOf(manifest)],
    options: Object.keys(plugin.options?.schema.properties ?? {}),
    migrations: (plugin.migrations ?? []).map(({ id }) => id),
    requires: [...(plugin.requires ?? [])],
    entry,
  }
}

export function factsPath(folder: string): string {
  return join(folder, factsFileName)
}

export function isPluginFacts(value: unknown): value is PluginFacts {
  return Value.Check(pluginFacts, value)
}

/** Undefined where a folder was put there by hand. */
export function readFacts(folder: string): PluginFacts | undefined {
  try {
    const facts: unknown = JSON.parse(readFileSync(factsPath(folder), 'utf8'))
    return isPluginFacts(facts) ? facts : undefined
  } catch {
    return undefined
  }
}

/** As lists show it. */
export function nameOf(manifest: Adapter | Plugin, language: 'en' | 'zh'): string {
  if (manifest.kind === 'plugin') return manifest.summary?.[language] ?? manifest.id
  const [first] = Object.values(manifest.channelTypes)
  return typeof first === 'string' ? first : (first?.name ?? manifest.id)
}
