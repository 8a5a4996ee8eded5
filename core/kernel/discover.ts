import { existsSync, statSync } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Adapter } from '../contract/adapter.ts'
import type { Plugin } from '../contract/plugin.ts'
import { checkManifest } from './manifest.ts'

export type PluginSource = 'built-in' | 'folder' | 'package'

/** A folder that holds a manifest; its code is loaded at most once in the life of the process. */
export interface Found {
  id: string
  source: PluginSource
  folder: string
  entry: string
}

export type LoadOutcome =
  | { found: Found; manifest: Adapter | Plugin }
  | { found: Found; error: Error }

/** Finds built-in plugins and adapters below `root` and external ones below `pluginDirs`; no list anywhere names one. */
export async function discover(root: string, pluginDirs: readonly string[]): Promise<Found[]> {
  const builtIn = [
    ...(await inFolder(join(root, 'plugins'), 'built-in')),
    ...(await inFolder(join(root, 'adapters'), 'built-in')),
  ]
  const external: Found[] = []
  for (const directory of pluginDirs) {
    const folder = resolve(directory)
    if (!existsSync(folder)) throw new Error(`PLUGIN_DIRS names ${directory}, which does not exist`)
    if (!statSync(folder).isDirectory())
      throw new Error(`PLUGIN_DIRS names ${directory}, which is no folder`)
    const own = foundIn(folder, 'folder')
    external.push(...(own ? [own] : await inFolder(folder, 'folder')))
  }
  return [...builtIn, ...external]
}

async function inFolder(parent: string, source: PluginSource): Promise<Found[]> {
  if (!existsSync(parent)) return []
  const entries = await readdir(parent, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map((entry) => foundIn(join(parent, entry.name), source))
    .filter((found) => found !== undefined)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

function foundIn(folder: string, source: PluginSource): Found | undefined {
  const entry = ['index.ts', 'index.js', 'index.mjs']
    .map((name) => join(folder, name))
    .find((file) => existsSync(file))
  return entry ? { id: basename(folder).split('@', 1)[0] ?? '', source, folder, entry } : undefined
}

const loaded = new Map<string, Promise<LoadOutcome>>()

/** Loads a manifest. A swap re-uses the loaded code; an upgrade comes from a folder of another name. */
export async function load(found: Found): Promise<LoadOutcome> {
  const key = await realpath(found.entry)
  const known = loaded.get(key)
  if (known) return known
  const outcome = loadFresh(found, key)
  loaded.set(key, outcome)
  return outcome
}

async function loadFresh(found: Found, file: string): Promise<LoadOutcome> {
  try {
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown }
    return { found, manifest: checkManifest(module.default, found.id) }
  } catch (error) {
    return { found, error: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** Dependencies first. Plugins whose requirements are missing or turn in a circle come back as blamed. */
export function inDependencyOrder(plugins: readonly Plugin[]): {
  ordered: Plugin[]
  blamed: Map<string, string>
} {
  const byId = new Map(plugins.map((plugin) => [plugin.id, plugin]))
  const ordered: Plugin[] = []
  const blamed = new Map<string, string>()
  const state = new Map<string, 'open' | 'done'>()

  const visit = (plugin: Plugin, path: readonly string[]): boolean => {
    if (state.get(plugin.id) === 'done') return !blamed.has(plugin.id)
    if (state.get(plugin.id) === 'open') {
      blamed.set(plugin.id, `requires turns in a circle: ${[...path, plugin.id].join(' → ')}`)
      return false
    }
    state.set(plugin.id, 'open')
    for (const id of plugin.requires ?? []) {
      const needed = byId.get(id)
      if (!needed || !visit(needed, [...path, plugin.id])) {
        if (!blamed.has(plugin.id)) blamed.set(plugin.id, `requires "${id}", which is not on`)
        break
      }
    }
    state.set(plugin.id, 'done')
    if (!blamed.has(plugin.id)) ordered.push(plugin)
    return !blamed.has(plugin.id)
  }
  for (const plugin of plugins) visit(plugin, [])
  return { ordered, blamed }
}
