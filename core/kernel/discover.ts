import { existsSync, statSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import semver from 'semver'
import type { Adapter } from '../contract/adapter.ts'
import { pluginIdForm } from '../contract/constants.ts'
import { errorType } from '../contract/errors.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { PluginSource } from '../contract/plugin-row.ts'
import { checkManifest } from './manifest/manifest.ts'
import { rememberFolder, runAs } from './plugin-context.ts'
import { type PluginFacts, readFacts } from './manifest/plugin-facts.ts'
import { type Blame, PluginFault } from './plugin-fault.ts'
import { attemptName } from './resolve-hook.ts'

/** A folder with a manifest. Its code is loaded at most once in a process, unless it is tried again after a fault. */
export interface Found {
  id: string
  source: PluginSource
  folder: string
  entry: string
  /** Of one that the gateway installed, as its folder's name says. */
  version?: string
  facts?: PluginFacts
  /** Why it cannot be loaded at all, whatever its code says. */
  blame?: Blame
}

export function isExternal({ source }: Found): boolean {
  return source !== 'built-in'
}

const folderMissing = errorType<{ folder: string }>('plugins.folder_missing', 409, {
  en: 'PLUGIN_DIRS names {folder}, which is not a folder on this machine. Restore it, or remove it from PLUGIN_DIRS and restart.',
  zh: 'PLUGIN_DIRS 中的 {folder} 不是本机的文件夹。请恢复该文件夹，或将其从 PLUGIN_DIRS 中移除后重启。',
})

export type LoadOutcome =
  | { found: Found; manifest: Adapter | Plugin }
  | { found: Found; error: PluginFault }

/** Finds built-in plugins and adapters below `root` and external ones below `pluginDirs`; no list anywhere names one. Names are not checked yet.
 *  @throws plugins.folder_missing when a folder of PLUGIN_DIRS does not exist */
export async function discover(root: string, pluginDirs: readonly string[]): Promise<Found[]> {
  const all = [
    ...(await inFolder(join(root, 'plugins'), 'built-in')),
    ...(await inFolder(join(root, 'adapters'), 'built-in')),
  ]
  for (const directory of pluginDirs) {
    const folder = resolve(directory)
    if (!isFolder(folder)) throw folderMissing({ folder: directory })
    const own = foundIn(folder, 'folder')
    all.push(...(own ? [own] : await inFolder(folder, 'folder')))
  }
  return all
}

/** Whether PLUGIN_DIRS may name it. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

const hasIdForm = (id: string) => id.length <= pluginIdForm.max && pluginIdForm.pattern.test(id)

/** Names that the console and the host use themselves. */
const reservedIds: ReadonlySet<string> = new Set(['core', 'console', 'tollgate'])

/** Of letters, digits and single hyphens, and no name of the gateway itself. */
export function isPluginId(id: string): boolean {
  return hasIdForm(id) && !reservedIds.has(id)
}

export function nameChecked(found: Found, taken: Map<string, Found>): Found {
  const { id, folder } = found
  const first = taken.get(id)
  if (first) {
    // The row of its own needs a name of its own.
    const blame: Blame = { stage: 'duplicate', detail: first.folder }
    return { ...found, id: `${id} (${folder})`, blame }
  }
  taken.set(id, found)
  if (!isExternal(found)) return found
  const detail = reservedIds.has(id)
    ? `"${id}" is a name of the gateway itself`
    : hasIdForm(id)
      ? undefined
      : `"${id.slice(0, 80)}" is not of lower-case letters, digits and single hyphens between them, up to ${pluginIdForm.max}`
  return detail === undefined ? found : { ...found, blame: { stage: 'name', detail } }
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

/** The module with the manifest, if the folder has a file of one of these names. */
export function entryOf(folder: string): string | undefined {
  return ['index.ts', 'index.js', 'index.mjs']
    .map((name) => join(folder, name))
    .find((file) => existsSync(file))
}

const installedName = /^([^@]+)@(.+)$/

/** What the gateway installed itself, as `<id>@<version>` below a folder: the versions of each id, the newest first. */
export async function findInstalled(parent: string): Promise<Map<string, Found[]>> {
  const names = await readdir(parent, { withFileTypes: true }).catch(() => [])
  const versions = new Map<string, Found[]>()
  for (const entry of names) {
    const found = entry.isDirectory() ? installedIn(parent, entry.name) : undefined
    if (found) versions.set(found.id, [...(versions.get(found.id) ?? []), found])
  }
  for (const list of versions.values())
    list.sort((a, b) => semver.rcompare(a.version ?? '', b.version ?? ''))
  return versions
}

function installedIn(parent: string, name: string): Found | undefined {
  const [, id = '', version = ''] = installedName.exec(name) ?? []
  if (!isPluginId(id) || semver.valid(version) !== version) return undefined
  const folder = join(parent, name)
  const facts = readFacts(folder)
  const entry = facts ? join(folder, facts.entry) : entryOf(folder)
  if (entry === undefined) return undefined
  return { id, source: 'package', folder, entry, version, ...(facts ? { facts } : {}) }
}

function foundIn(folder: string, source: PluginSource): Found | undefined {
  const entry = entryOf(folder)
  return entry ? { id: basename(folder).split('@', 1)[0] ?? '', source, folder, entry } : undefined
}

interface Place {
  /** The real path of the entry. */
  file: string
  stamp: string
}

/** By the real path of the entry. */
const loaded = new Map<string, { stamp: string; outcome: Promise<LoadOutcome> }>()
/** The real paths of entries that were loaded. */
const files = new Map<string, string>()
let tries = 0

/** Loads a manifest. A swap reuses loaded code, even while its folder is missing; an upgrade comes from a folder with another name. `isAnew`
 *  reads the files of a plugin again after a fault; what the old code left in memory stays there. */
export async function load(found: Found, { isAnew = false } = {}): Promise<LoadOutcome> {
  let place: Place
  try {
    place = await placeOf(found)
  } catch (error) {
    // Only for a moment, e.g. while somebody replaces the folder: not a fault of the running plugin.
    const known = loaded.get(files.get(found.entry) ?? '')
    if (known === undefined || isAnew) throw error
    return known.outcome
  }
  const { file, stamp } = place
  const known = loaded.get(file)
  if (known?.stamp === stamp && !isAnew) return known.outcome
  if (known) tries += 1
  const outcome = loadFresh(found, file, known ? tries : 0)
  loaded.set(file, { stamp, outcome })
  files.set(found.entry, file)
  return outcome
}

async function placeOf({ entry, source }: Found): Promise<Place> {
  const file = await realpath(entry)
  return { file, stamp: source === 'package' ? await stampOf(file) : '' }
}

/** A version that was removed and installed again is another one. */
async function stampOf(file: string): Promise<string> {
  const { ino, birthtimeNs, ctimeNs } = await stat(file, { bigint: true })
  return `${ino} ${birthtimeNs} ${ctimeNs}`
}

async function loadFresh(found: Found, file: string, attempt: number): Promise<LoadOutcome> {
  try {
    rememberFolder(found.id, dirname(file))
    const url = pathToFileURL(file)
    if (attempt > 0) url.searchParams.set(attemptName, String(attempt))
    const module = await runAs(found.id, () => import(url.href) as Promise<{ default?: unknown }>)
    return { found, manifest: checked(module.default, found.id) }
  } catch (error) {
    return {
      found,
      error: error instanceof PluginFault ? error : new PluginFault(found.id, 'import', error),
    }
  }
}

function checked(exported: unknown, id: string): Adapter | Plugin {
  try {
    return checkManifest(exported, id)
  } catch (error) {
    throw new PluginFault(id, 'manifest', error)
  }
}

/** A plugin's requirements, without running code that nobody has confirmed: recorded when it was installed, or known since it was loaded. */
export async function requiresOf(found: Found): Promise<readonly string[]> {
  if (found.facts) return found.facts.requires
  const outcome = await loaded.get(files.get(found.entry) ?? '')?.outcome
  const manifest = outcome && 'manifest' in outcome ? outcome.manifest : undefined
  return manifest?.kind === 'plugin' ? (manifest.requires ?? []) : []
}

/** Dependencies first. Plugins whose requirements are missing or circular are returned with blame. */
export function inDependencyOrder(plugins: readonly Plugin[]): {
  ordered: Plugin[]
  blamed: Map<string, Blame>
} {
  const byId = new Map(plugins.map((plugin) => [plugin.id, plugin]))
  const ordered: Plugin[] = []
  const blamed = new Map<string, Blame>()
  const state = new Map<string, 'open' | 'done'>()

  const visit = (plugin: Plugin, path: readonly string[]): boolean => {
    if (state.get(plugin.id) === 'done') return !blamed.has(plugin.id)
    if (state.get(plugin.id) === 'open') {
      const circle = path.slice(path.indexOf(plugin.id))
      for (const [at, id] of circle.entries()) {
        const detail = [...circle.slice(at), ...circle.slice(0, at), id].join(' → ')
        blamed.set(id, { stage: 'circle', detail })
      }
      return false
    }
    state.set(plugin.id, 'open')
    for (const id of plugin.requires ?? []) {
      const needed = byId.get(id)
      if (!needed || !visit(needed, [...path, plugin.id])) {
        if (!blamed.has(plugin.id))
          blamed.set(plugin.id, { stage: 'requires', detail: `requires "${id}", which is not on` })
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
