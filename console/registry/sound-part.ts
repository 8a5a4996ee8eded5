// Validates the console part of an external module before it is rendered. No compiler has checked it, and an invalid
// entry must not affect other entries.
import { matchPath } from 'react-router-dom'
import type { ComponentType } from 'react'
import { isObject } from '../../core/contract/json.ts'
import type { ConsolePlugin, Screen } from './console-plugin.ts'
import { quietIcon } from './quiet.tsx'

type Entry = Record<string, unknown>
type Rule = (value: unknown) => boolean
type EntryRules = Readonly<Record<string, Rule>>

const isText: Rule = (value) => typeof value === 'string' && value !== '' && value.length <= 200
const isNumber: Rule = (value) => typeof value === 'number' && Number.isFinite(value)
const isBoolean: Rule = (value) => typeof value === 'boolean'
const isFunction: Rule = (value) => typeof value === 'function'
const isComponent: Rule = (value) =>
  typeof value === 'function' || (isObject(value) && '$$typeof' in value)
const isTexts: Rule = (value) => Array.isArray(value) && value.every(isText)
const isPath: Rule = (value) => isText(value) && (value as string).startsWith('/')
const oneOf =
  (...words: readonly string[]): Rule =>
  (value) =>
    words.includes(value as string)
const maybe =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || rule(value)

const access = maybe(oneOf('public', 'user', 'admin', 'options', 'root'))
const place: EntryRules = {
  label: maybe(isText),
  group: oneOf('top', 'playground', 'console', 'admin', 'personal'),
  order: isNumber,
  icon: maybe(isComponent),
  isVisible: maybe(isFunction),
}
const isPlace: Rule = (value) => isObject(value) && faultIn(value, place) === undefined

/** The rules by the key of the console part. */
const rules = {
  screens: {
    path: isPath,
    title: isText,
    access,
    frame: maybe(oneOf('console', 'plain', 'bare')),
    menu: maybe(isPlace),
    load: isFunction,
  },
  menu: {
    ...place,
    id: isText,
    label: isText,
    access,
    link: maybe(isFunction),
    children: maybe(isFunction),
  },
  widgets: {
    id: isText,
    title: isText,
    access,
    order: isNumber,
    size: oneOf('small', 'medium', 'wide'),
    isVisible: maybe(isFunction),
    load: isFunction,
  },
  signInMethods: {
    id: isText,
    order: isNumber,
    icon: maybe(isComponent),
    label: maybe(isText),
    isEnabled: maybe(isFunction),
    load: maybe(isFunction),
    loadBinding: maybe(isFunction),
  },
  settings: {
    id: isText,
    tab: isText,
    section: isText,
    options: maybe(isTexts),
    load: isFunction,
  },
  bindings: { id: isText, order: isNumber, isVisible: maybe(isFunction), load: isFunction },
  botChecks: { id: isText, isEnabled: isFunction, load: isFunction },
  tables: { id: isText },
  drawers: {
    id: isText,
    drawer: isText,
    title: isText,
    access,
    order: isNumber,
    isVisible: maybe(isFunction),
    load: isFunction,
  },
  home: {
    id: isText,
    access,
    order: isNumber,
    place: maybe(oneOf('above', 'below')),
    isVisible: maybe(isFunction),
    load: isFunction,
  },
} satisfies Record<string, EntryRules>

/** Lists within the entries of a list. */
const innerLists: Readonly<Partial<Record<string, Record<string, EntryRules>>>> = {
  tables: {
    columns: {
      id: isText,
      title: isText,
      access,
      align: maybe(oneOf('left', 'right')),
      isOptional: maybe(isBoolean),
      card: maybe(oneOf('fact')),
      load: isFunction,
    },
    rowActions: {
      id: isText,
      label: isText,
      access,
      isVisible: maybe(isFunction),
      link: maybe(isFunction),
      load: maybe(isFunction),
    },
  },
}

interface Context {
  owner: string
  /** Called with each fault: entries that were left out, and functions that fail later. */
  onFault: (message: string) => void
  /** Paths of the console itself, which no external module may take. */
  ownScreens: readonly Screen[]
}

/** Returns the valid entries of a part and reports the others.
 *  @throws Error if the value is no console part at all */
export function soundPart(exported: unknown, context: Context): ConsolePlugin {
  if (!isObject(exported)) throw new Error('The module has no default export that is an object.')
  const part: Partial<Record<string, unknown>> = {}
  for (const [key, own] of Object.entries<EntryRules>(rules)) {
    part[key] = soundList({ key, name: key, own }, () => exported[key], context)
  }
  const texts = attempt(() => soundTexts(exported['texts']), 'texts', context)
  return { ...(part as ConsolePlugin), ...(texts ? { texts } : {}) }
}

/** The most entries of each list. More would make no usable menu, table or page. */
const MOST_ENTRIES = 100

/** A list of entries: its key, its name in faults, and the rules of an entry. */
interface List {
  key: string
  name: string
  own: EntryRules
}

function soundList(list: List, read: () => unknown, context: Context): unknown[] {
  const entries = attempt(read, list.name, context)
  if (entries === undefined) return []
  if (!Array.isArray(entries)) {
    context.onFault(`"${list.name}" is no list.`)
    return []
  }
  if (entries.length > MOST_ENTRIES)
    context.onFault(
      `"${list.name}" has ${entries.length} entries, of which the first ${MOST_ENTRIES} are taken.`,
    )
  const known = new Set<string>()
  return entries.slice(0, MOST_ENTRIES).flatMap((entry: unknown, index) => {
    const name = `${list.name}[${index}]`
    const sound = attempt(
      () => once(list, soundEntry({ ...list, name }, entry, context), known),
      name,
      context,
    )
    return sound ? [sound] : []
  })
}

/** Ids are the keys of entries in React.
 *  @throws Error for an id that occurs twice */
function once({ key }: List, entry: Entry, known: Set<string>): Entry {
  // Several additions may belong to one table.
  if (key === 'tables') return entry
  const id = String(key === 'screens' ? entry['path'] : entry['id'])
  const place = key === 'drawers' ? `${String(entry['drawer'])} ${id}` : id
  if (known.has(place)) throw new Error(`there is another "${id.slice(0, 80)}" before it`)
  known.add(place)
  return entry
}

function soundEntry({ key, name, own }: List, entry: unknown, context: Context): Entry {
  if (!isObject(entry)) throw new Error('it is no object')
  const copy: Entry = { ...entry }
  const fault = faultIn(copy, own)
  if (fault !== undefined) throw new Error(`"${fault}" is missing or not of the right kind`)
  if (key === 'screens') refuseTaken(String(copy['path']), context.ownScreens)
  if (key === 'rowActions' && !copy['link'] && !copy['load'])
    throw new Error('it has neither "link" nor "load"')
  for (const [innerKey, rulesOfKey] of Object.entries(innerLists[key] ?? {})) {
    const list = { key: innerKey, name: `${name}.${innerKey}`, own: rulesOfKey }
    copy[innerKey] = soundList(list, () => entry[innerKey] ?? [], context)
  }
  return guarded(copy, name, context)
}

function faultIn(entry: Entry, own: EntryRules): string | undefined {
  return Object.entries(own).find(([name, rule]) => !rule(entry[name]))?.[0]
}

/** Paths that only the console may use, the sign-in page above all. */
function refuseTaken(path: string, ownScreens: readonly Screen[]): void {
  const sample = path.replaceAll(/:[^/]+/g, 'x').replace(/\*$/, 'x')
  const taken = ownScreens.find(
    (own) =>
      matchPath(own.path, sample) ??
      matchPath(path, own.path.replaceAll(/\/:[^/]+\?/g, '').replaceAll(/:[^/]+/g, 'x') || '/'),
  )
  if (taken) throw new Error(`the address ${path} belongs to the console's own page ${taken.path}`)
}

/** Functions that are called during rendering return a neutral value when they fail. */
const neutral: Readonly<Record<string, unknown>> = {
  isVisible: false,
  isEnabled: false,
  link: undefined,
  children: [],
}

function guarded(entry: Entry, name: string, context: Context): Entry {
  const copy = { ...entry }
  for (const [key, fallback] of Object.entries(neutral)) {
    const call = copy[key]
    if (typeof call !== 'function') continue
    copy[key] = (...input: unknown[]): unknown => {
      const value = attempt(() => checkedResult(key, call(...input)), `${name}.${key}()`, context)
      return value === undefined ? fallback : value
    }
  }
  if (copy['icon'] !== undefined)
    copy['icon'] = quietIcon(copy['icon'] as ComponentType, () =>
      context.onFault(`The icon of ${name} cannot be drawn.`),
    )
  if (isObject(copy['menu'])) copy['menu'] = guarded(copy['menu'], `${name}.menu`, context)
  return copy
}

function checkedResult(key: string, value: unknown): unknown {
  if (key === 'link') {
    if (value !== undefined && !isLink(value)) throw new Error('it gives no address')
    return value
  }
  if (key !== 'children') return value === true
  const isChild: Rule = (child) =>
    isObject(child) && isText(child['label']) && isLink(child['link'])
  if (!Array.isArray(value) || !value.every(isChild)) throw new Error('it gives no list of links')
  return value.slice(0, MOST_ENTRIES)
}

function isLink(value: unknown): boolean {
  return typeof value === 'string' && (/^\/(?!\/)/.test(value) || /^https?:\/\//.test(value))
}

const MAX_DEPTH = 8

function soundTexts(texts: unknown): ConsolePlugin['texts'] {
  if (texts === undefined) return undefined
  if (!isObject(texts)) throw new Error('they are no object with "en" and "zh"')
  return { en: textTree(texts['en'], 'en', 0), zh: textTree(texts['zh'], 'zh', 0) }
}

function textTree(value: unknown, name: string, depth: number): Record<string, unknown> {
  if (!isObject(value) || depth > MAX_DEPTH) throw new Error(`"${name}" is no object of texts`)
  return Object.fromEntries(
    Object.entries(value).map(([key, text]) => {
      if (typeof text === 'string') return [key, text]
      return [key, textTree(text, `${name}.${key}`, depth + 1)]
    }),
  )
}

function attempt<T>(work: () => T, name: string, { onFault }: Context): T | undefined {
  try {
    return work()
  } catch (error) {
    onFault(`${name}: ${faultText(error)}`)
    return undefined
  }
}

/** Modules may throw anything. */
export function faultText(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'something that cannot be read'
  }
}
