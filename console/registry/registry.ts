import { create } from 'zustand'
import { api } from '../api/client.ts'
import { readStoredJson, writeStored } from '../stores/storage.ts'
import { addTexts } from '../texts/i18n.ts'
import type {
  AccountBinding,
  BotCheckPart,
  ConsolePlugin,
  MenuEntry,
  Owned,
  Screen,
  SettingsPart,
  SignInMethod,
  Widget,
} from './console-plugin.ts'
import { builtInPlugins } from './discover.ts'
import { loadModule } from './load-module.ts'

/** One row of GET /api/plugin/console: a plugin that is on. */
interface ConsoleRow {
  id: string
  /** The address of an external plugin's module; null for built-in ones. */
  module: string | null
}

interface Registry {
  isReady: boolean
  screens: readonly Owned<Screen>[]
  menu: readonly Owned<MenuEntry>[]
  signInMethods: readonly Owned<SignInMethod>[]
  settings: readonly Owned<SettingsPart>[]
  bindings: readonly Owned<AccountBinding>[]
  botChecks: readonly Owned<BotCheckPart>[]
  widgets: readonly Owned<Widget>[]
  /** Console modules that could not be loaded, by plugin id. */
  failures: Readonly<Record<string, string>>
  /** Asks the server which plugins are on. Call it after one was switched. */
  load(): Promise<void>
}

const storedKey = 'console_plugins'

export const useRegistry = create<Registry>()((set) => ({
  isReady: false,
  failures: {},
  // The frame is drawn at once as it was on the last visit; the screens wait for the server's answer.
  ...lastVisit(),
  async load() {
    const failures: Record<string, string> = {}
    const builtIn = builtInPlugins()
    const rows = await rowsOf(builtIn)
    const loaded = await Promise.all(
      rows.map(async ({ id, module }): Promise<[string, ConsolePlugin | undefined]> => {
        if (module === null) return [id, builtIn[id]]
        try {
          return [id, await loadModule(module)]
        } catch (error) {
          failures[id] = error instanceof Error ? error.message : String(error)
          return [id, undefined]
        }
      }),
    )
    set({ isReady: true, failures, ...collect(loaded) })
  },
}))

/** What the menu showed on the last visit; nothing where modules from outside have still to be loaded. */
function lastVisit() {
  const rows = readStoredJson<ConsoleRow[]>(storedKey)
  const isKnown = Array.isArray(rows) && rows.every((row) => row?.module === null)
  const builtIn = builtInPlugins()
  return collect(isKnown ? rows.map(({ id }) => [id, builtIn[id]]) : [])
}

/** Which plugins are on. Without an answer all built-in ones are shown: each of their calls has its guard on the server. */
async function rowsOf(builtIn: Record<string, ConsolePlugin>): Promise<ConsoleRow[]> {
  try {
    const rows = await api.get<ConsoleRow[]>('/api/plugin/console', { isQuiet: true })
    writeStored(storedKey, JSON.stringify(rows))
    return rows
  } catch {
    return Object.keys(builtIn).map((id) => ({ id, module: null }))
  }
}

function collect(plugins: readonly [string, ConsolePlugin | undefined][]) {
  const screens: Owned<Screen>[] = []
  const menu: Owned<MenuEntry>[] = []
  const signInMethods: Owned<SignInMethod>[] = []
  const settings: Owned<SettingsPart>[] = []
  const bindings: Owned<AccountBinding>[] = []
  const botChecks: Owned<BotCheckPart>[] = []
  const widgets: Owned<Widget>[] = []
  for (const [owner, plugin] of plugins) {
    if (!plugin) continue
    screens.push(...(plugin.screens ?? []).map((screen) => ({ ...screen, owner })))
    menu.push(...(plugin.menu ?? []).map((entry) => ({ ...entry, owner })))
    signInMethods.push(...(plugin.signInMethods ?? []).map((method) => ({ ...method, owner })))
    settings.push(...(plugin.settings ?? []).map((part) => ({ ...part, owner })))
    bindings.push(...(plugin.bindings ?? []).map((binding) => ({ ...binding, owner })))
    botChecks.push(...(plugin.botChecks ?? []).map((check) => ({ ...check, owner })))
    widgets.push(...(plugin.widgets ?? []).map((widget) => ({ ...widget, owner })))
    if (plugin.texts) {
      addTexts('en', owner, plugin.texts.en)
      addTexts('zh', owner, plugin.texts.zh)
    }
  }
  signInMethods.sort((a, b) => a.order - b.order)
  widgets.sort((a, b) => a.order - b.order)
  return { screens, menu, widgets, signInMethods, bindings, botChecks, settings }
}
