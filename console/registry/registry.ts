import { create } from 'zustand'
import { api } from '../api/client.ts'
import { READ_LIMIT_MS } from '../api/time-limit.ts'
import { readStoredJson, writeStored } from '../stores/storage.ts'
import { hasUnsaved } from '../stores/unsaved.ts'
import { addTexts } from '../texts/i18n.ts'
import type {
  AccountBinding,
  BotCheckPart,
  ConsolePlugin,
  DrawerSection,
  HomeCard,
  MenuEntry,
  Owned,
  Screen,
  SettingsPart,
  SignInMethod,
  TableAddition,
  Widget,
} from './console-plugin.ts'
import { builtInPlugins } from './discover.ts'
import { loadModule } from './load-module.ts'
import { faultText, soundPart } from './sound-part.ts'

/** One row of GET /api/plugin/console: a plugin that is on. */
interface ConsoleRow {
  id: string
  /** The address of an external plugin's module; null for built-in ones. */
  module: string | null
}

interface Registry {
  isReady: boolean
  /** Whether all external modules have been loaded or have failed. */
  isComplete: boolean
  screens: readonly Owned<Screen>[]
  menu: readonly Owned<MenuEntry>[]
  signInMethods: readonly Owned<SignInMethod>[]
  settings: readonly Owned<SettingsPart>[]
  bindings: readonly Owned<AccountBinding>[]
  botChecks: readonly Owned<BotCheckPart>[]
  widgets: readonly Owned<Widget>[]
  tables: readonly Owned<TableAddition>[]
  drawers: readonly Owned<DrawerSection>[]
  home: readonly Owned<HomeCard>[]
  /** Faults of external console modules, by plugin id. */
  failures: Readonly<Record<string, string>>
  /** Asks the server which plugins are on. Call it after one was switched. */
  load(): Promise<void>
}

const storedKey = 'console_plugins'

type Loaded = [string, ConsolePlugin | undefined]

/** Loaded external modules by address, so that switching one plugin does not unload the others. */
const modules = new Map<string, ConsolePlugin>()
/** The address of the module that each external plugin was last drawn by. */
const drawn = new Map<string, string>()
/** Modules that failed. They are loaded again after their plugin was off, or when the page is reloaded. */
const broken = new Set<string>()

export const useRegistry = create<Registry>()((set, get) => ({
  isReady: false,
  isComplete: false,
  failures: {},
  // The frame is rendered at once as on the last visit; screens wait for the answer of the server.
  ...lastVisit(),
  async load() {
    const builtIn = builtInPlugins()
    const rows = (await rowsOf()) ?? (get().isReady ? undefined : allOf(builtIn))
    // Without an answer the current plugins stay.
    if (rows === undefined) return
    for (const id of drawn.keys()) if (!rows.some((row) => row.id === id)) drawn.delete(id)
    const present = () => rows.map((row): Loaded => [row.id, partOf(row, builtIn)])
    for (const address of broken)
      if (!rows.some(({ module }) => module === address)) broken.delete(address)
    const missing = rows.filter(
      ({ module }) => module !== null && !modules.has(module) && !broken.has(module),
    )
    const failures = Object.fromEntries(
      Object.entries(get().failures).filter(([id]) =>
        rows.some((row) => row.id === id && !missing.includes(row)),
      ),
    )
    // The console does not wait for external modules, which may never arrive.
    set({ isReady: true, isComplete: missing.length === 0, failures, ...collect(present()) })
    if (missing.length === 0) return
    const ownScreens = Object.values(builtIn).flatMap(({ screens = [] }) => screens)
    const show = (isComplete: boolean) => set({ isComplete, ...collect(present()) })
    const loading = missing.map(async (row) => {
      await loadRow(row, ownScreens)
      show(false)
    })
    await Promise.all(loading)
    show(true)
  },
}))

/** What draws the plugin. Another version waits for the next load while anything is unsaved: with the screen, what was typed on it would go away. */
function partOf(
  { id, module }: ConsoleRow,
  builtIn: Record<string, ConsolePlugin>,
): ConsolePlugin | undefined {
  if (module === null) return builtIn[id]
  const before = drawn.get(id)
  const isWaiting = before !== undefined && before !== module && hasUnsaved()
  const address = isWaiting ? before : module
  if (modules.has(address)) drawn.set(id, address)
  return modules.get(address)
}

/** Loads one external module and keeps its fault under the plugin's id. */
async function loadRow({ id, module }: ConsoleRow, ownScreens: readonly Screen[]): Promise<void> {
  if (module === null) return
  const onFault = (message: string) => noteFailure(id, message)
  try {
    modules.set(module, soundPart(await loadModule(module), { owner: id, onFault, ownScreens }))
  } catch (error) {
    broken.add(module)
    onFault(faultText(error))
  }
}

const mostWords = 500

/** Deferred, because faults may be reported during rendering. */
export function noteFailure(id: string, message: string): void {
  queueMicrotask(() => {
    const { failures } = useRegistry.getState()
    const known = failures[id]
    if (known?.includes(message)) return
    const text = known === undefined ? message : `${known} ${message}`
    useRegistry.setState({ failures: { ...failures, [id]: text.slice(0, mostWords) } })
  })
}

/** The plugins of the last visit, for the first rendering; nothing where external modules must be loaded first. */
function lastVisit() {
  const rows = readStoredJson<ConsoleRow[]>(storedKey)
  const isKnown = Array.isArray(rows) && rows.every((row) => row?.module === null)
  const builtIn = builtInPlugins()
  return collect(isKnown ? rows.map(({ id }) => [id, builtIn[id]]) : [])
}

/** All built-in plugins are shown until the first answer: the server guards each of their calls. */
function allOf(builtIn: Record<string, ConsolePlugin>): ConsoleRow[] {
  return Object.keys(builtIn).map((id) => ({ id, module: null }))
}

/** The plugins that are on; undefined if the server does not answer. */
async function rowsOf(): Promise<ConsoleRow[] | undefined> {
  try {
    const rows = await api.get<ConsoleRow[]>('/api/plugin/console', {
      isQuiet: true,
      limitMs: READ_LIMIT_MS,
    })
    writeStored(storedKey, JSON.stringify(rows))
    return rows
  } catch {
    return undefined
  }
}

function collect(plugins: readonly Loaded[]) {
  const on = plugins.flatMap(([owner, plugin]) => (plugin ? [{ owner, plugin }] : []))
  for (const { owner, plugin } of on) {
    if (!plugin.texts) continue
    addTexts('en', owner, plugin.texts.en)
    addTexts('zh', owner, plugin.texts.zh)
  }
  const all = <T>(listOf: (plugin: ConsolePlugin) => readonly T[] | undefined): Owned<T>[] =>
    on.flatMap(({ owner, plugin }) => (listOf(plugin) ?? []).map((entry) => ({ ...entry, owner })))
  return {
    screens: all(({ screens }) => screens),
    menu: all(({ menu }) => menu),
    widgets: all(({ widgets }) => widgets).sort(byOrder),
    signInMethods: all(({ signInMethods }) => signInMethods).sort(byOrder),
    bindings: all(({ bindings }) => bindings),
    botChecks: all(({ botChecks }) => botChecks),
    settings: all(({ settings }) => settings),
    tables: all(({ tables }) => tables),
    drawers: all(({ drawers }) => drawers).sort(byOrder),
    home: all(({ home }) => home).sort(byOrder),
  }
}

function byOrder(a: { order: number }, b: { order: number }): number {
  return a.order - b.order
}
