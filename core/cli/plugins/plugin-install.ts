// `tollgate plugin add|use|remove|rescan`, with or without a running gateway.
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Found } from '../../kernel/discover.ts'
import { Installer, type InstallSource } from '../../installs/installer.ts'
import { PluginStore } from '../../installs/plugin-store.ts'
import { Uninstaller, type UninstallWish } from '../../installs/uninstaller.ts'
import { pluginUnknown } from '../../kernel/host/plugin-refusals.ts'
import { stepsIn } from '../../data/migrate.ts'
import { newerSteps } from '../../kernel/host/plugin-rows.ts'
import { root } from '../../app/root.ts'
import { readSettings } from '../../app/configuration.ts'
import { optionsOfOthers } from './options-of-others.ts'
import { askLines, confirmedAsks, factsOfFound } from './plugin-asks.ts'
import { type PluginShelf, notifyGateways, withPlugins } from './plugin-shelf.ts'
import type { Print } from '../print.ts'

/** @returns the exit code */
export function addPlugin(words: readonly string[], print: Print): Promise<number> {
  const [source, ...rest] = words
  if (source === undefined || rest.length > 0) {
    print('Usage: tollgate plugin add FOLDER | FILE.tgz | NAME[@RANGE]')
    return Promise.resolve(2)
  }
  return withPlugins(async (shelf) => {
    const { dataDir, pluginLoadMs, foreignVariables } = readSettings()
    const installer = new Installer({
      store: new PluginStore(dataDir),
      root,
      loadTimeoutMs: pluginLoadMs,
      environment: foreignVariables(),
      isTaken: (id) => (shelf.found.find(id)?.source ?? 'package') !== 'package',
    })
    const { id, version, asks, contract, kind } = await installer.install(sourceOf(source))
    await notifyGateways(shelf, id)
    print(`Installed ${id}@${version}. It asks for:`)
    for (const line of asks.length > 0 ? askLines(asks) : ['  nothing']) print(line)
    if (kind === 'plugin' && contract === '')
      print('It says for no contract that it was written: it may not fit a later gateway.')
    const isOn = shelf.records.isEnabled(id) === true
    print(
      isOn
        ? `Another version of it serves. Take this one: tollgate plugin use ${id}@${version}`
        : `It is off. Switch it on: tollgate plugin enable ${id} --yes`,
    )
    return 0
  })
}

function sourceOf(word: string): InstallSource {
  const path = resolve(word)
  if (existsSync(path)) return { kind: statSync(path).isDirectory() ? 'folder' : 'file', path }
  return /^[./~]|\.tgz$|\.tar\.gz$/.test(word)
    ? { kind: 'file', path }
    : { kind: 'npm', spec: word }
}

/** @returns the exit code */
export function usePlugin(words: readonly string[], print: Print): Promise<number> {
  const isAgreed = words.includes('--yes')
  const [name = '', ...rest] = words.filter((word) => word !== '--yes')
  const [id = '', version = ''] = name.split('@', 2)
  if (id === '' || version === '' || rest.length > 0) {
    print('Usage: tollgate plugin use ID@VERSION [--yes]')
    return Promise.resolve(2)
  }
  return withPlugins(async (shelf) => {
    const { found: plugins, records } = shelf
    const current = plugins.find(id)
    if (!current) throw pluginUnknown({ id })
    const found = plugins.version(current, version)
    const isOn = records.isEnabled(id) === true
    const asks = isOn ? await confirmedAsks(found, { ...shelf, isAgreed, print }) : undefined
    if (isOn && !asks) return 1
    await records.write(found, isOn, asks)
    await notifyGateways(shelf, id)
    print(
      `${id}@${version} is the version that counts. A gateway that is running takes it; when it`,
    )
    print('cannot be loaded there, the one before goes on serving: see the plugins screen.')
    const ran = new Set(await stepsIn(shelf.database))
    const kept = newerSteps(current, found).filter((step) => ran.has(step))
    if (kept.length > 0) print(`Not undone: these steps of its tables: ${kept.join(', ')}.`)
    return 0
  })
}

const fates: ReadonlySet<string> = new Set(['keep', 'drop'])

/** @returns the exit code */
export function removePlugin(words: readonly string[], print: Print): Promise<number> {
  const [name = '', ...rest] = words
  const [id = '', version] = name.split('@', 2)
  const wish = version === undefined ? wishOf(rest) : undefined
  if (id === '' || (version === undefined ? !wish : rest.length > 0)) {
    print('Usage: tollgate plugin remove ID --tables keep|drop --options keep|drop')
    print('       tollgate plugin remove ID@VERSION')
    print('What becomes of its tables and of the values of its options has to be said.')
    return Promise.resolve(2)
  }
  return withPlugins(async (shelf) => {
    const uninstaller = uninstallerOf(shelf)
    if (wish) {
      const { tables, options, folder } = await uninstaller.uninstall(id, wish)
      print(`Plugin "${id}" is gone. Tables dropped: ${tables.join(', ') || 'none'}.`)
      print(`Options dropped: ${options.join(', ') || 'none'}.`)
      if (folder) print(`Its folder stands in PLUGIN_DIRS and is yours to delete: ${folder}`)
    } else {
      await uninstaller.removeVersion(id, version ?? '')
      print(`${name} is removed.`)
    }
    await notifyGateways(shelf, id)
    return 0
  })
}

function wishOf(words: readonly string[]): UninstallWish | undefined {
  const said = new Map<string, string>()
  for (let at = 0; at < words.length; at += 2) said.set(words[at] ?? '', words[at + 1] ?? '')
  const [tables, options] = [said.get('--tables'), said.get('--options')]
  const isWhole = said.size === 2 && fates.has(tables ?? '') && fates.has(options ?? '')
  return isWhole ? ({ tables, options } as UninstallWish) : undefined
}

function uninstallerOf(shelf: PluginShelf): Uninstaller {
  const { database, records, found: plugins } = shelf
  const find = (id: string) => {
    const found = plugins.find(id)
    if (!found) throw pluginUnknown({ id })
    return {
      found,
      versions: plugins.versionsOf(id),
      isEnabled: records.isEnabled(id) === true,
    }
  }
  return new Uninstaller({
    store: new PluginStore(readSettings().dataDir),
    database,
    find,
    optionsOf: async (id) => {
      const { found, versions } = find(id)
      const all = await Promise.all([found, ...versions].filter(isThere).map(factsOfFound))
      const others = await optionsOfOthers(shelf, id)
      return [...new Set(all.flatMap(({ options }) => options))].filter((key) => !others.has(key))
    },
    forget: (id) => records.remove(id),
  })
}

const isThere = ({ folder }: Found): boolean => folder !== ''

/** @returns the exit code */
export function rescanPlugins(print: Print): Promise<number> {
  return withPlugins(async (shelf) => {
    await notifyGateways(shelf, '')
    print('Gateways that are running look at the folders of plugins again.')
    return 0
  })
}
