// The console part of a plugin, read in Node: its entries by the console's own rules, its words in both languages.
import { existsSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isObject, type Plugin } from '#core'
import { ownExports, sharedSpecifiers } from '../../../console/build/console-sdk.ts'
import { type Check, refuse } from '../../harness/adapters/adapter-checks.ts'
import type { Room } from './room.ts'
import { sheetFaults } from './sheets.ts'

const repository = new URL('../../../', import.meta.url)

type Texts = Record<string, unknown>

/** Of console/registry/sound-part.ts, which is checked with the console's own settings. */
interface SoundPart {
  soundPart(
    exported: unknown,
    context: { owner: string; ownScreens: readonly []; onFault: (message: string) => void },
  ): Record<string, unknown> & { texts?: { en: Texts; zh: Texts } }
}

interface Part {
  texts: { en: Texts; zh: Texts }
  entries: Record<string, unknown>[]
  faults: string[]
}

export async function consoleChecks(
  plugin: Plugin,
  { folder, id, gateway }: Room,
): Promise<Check[]> {
  const options = gateway.host.list().find((row) => row.id === id)?.options ?? []
  if (plugin.consoleModule === undefined) {
    if (options.length === 0) return []
    const problem = 'it has options and no consoleModule that holds their words (texts)'
    return [{ name: 'has words for its options', run: async () => refuse([problem]) }]
  }
  const file = join(folder, plugin.consoleModule)
  const loading = readPart(file, id)
  const check = (name: string, look: (part: Part) => string[]): Check => ({
    name,
    run: async () => refuse(look(await loading)),
  })
  loading.catch(() => undefined)
  const hidden = ({ schema }: NonNullable<Plugin['options']>) =>
    new Set(
      Object.entries(schema.properties)
        .filter(([, option]) => isObject(option['x-ui']) && option['x-ui']['hidden'] === true)
        .map(([key]) => key),
    )
  const shown = options.filter((key) => !(plugin.options && hidden(plugin.options).has(key)))
  return [
    check('has a sound console part', ({ faults }) => faults),
    check('has each word in both languages', ({ texts }) => languageFaults(texts)),
    check('writes placeholders as {name}', ({ texts }) => placeholderFaults(texts)),
    check('has words for its titles', ({ texts, entries }) => titleFaults(texts, entries)),
    check('has words for its options', ({ texts }) =>
      shown
        .filter((key) => typeof textAt(texts.en, `options.${key}`) !== 'string')
        .map((key) => `texts has no options.${key}`),
    ),
    { name: 'keeps its sheets to itself', run: async () => refuse(sheetFaults(folder, id)) },
    { name: 'sends its console part', run: () => checkAsset(gateway.address, plugin, id) },
  ]
}

async function readPart(file: string, id: string): Promise<Part> {
  if (!existsSync(file))
    throw new Error(`${file} is not there: build it with "tollgate plugin build"`)
  shareModules(dirname(file))
  const faults: string[] = []
  const { soundPart } = (await import(
    new URL('console/registry/sound-part.ts', repository).href
  )) as SoundPart
  const module = (await import(`${pathToFileURL(file).href}?kit=${Date.now()}`)) as {
    default?: unknown
  }
  const part = soundPart(module.default, {
    owner: id,
    onFault: (message) => void faults.push(message),
    ownScreens: [],
  })
  const lists = listsIn(part)
  const entries = [...lists, ...lists.flatMap(listsIn)]
  return { texts: part.texts ?? { en: {}, zh: {} }, entries, faults }
}

/** Entries of all lists; those of a table have lists themselves. */
function listsIn(part: Record<string, unknown>): Record<string, unknown>[] {
  return Object.values(part)
    .filter((list) => Array.isArray(list))
    .flat()
    .filter(isObject)
}

/** Addresses of folders whose modules stand for console parts. */
const parts = new Set<string>()

/** Outside the console its modules are names only, but React, which draws nothing here. */
function shareModules(folder: string): void {
  const isFirst = parts.size === 0
  parts.add(pathToFileURL(join(folder, '/')).href)
  if (!isFirst) return
  const own = new URL('console/', repository).href
  const shared: readonly string[] = sharedSpecifiers
  registerHooks({
    resolve(specifier, context, next) {
      const parent = context.parentURL ?? ''
      if (parent.startsWith(own) && specifier === './quiet.tsx')
        return stand('export const quietIcon = (icon) => icon')
      const isOfPart = [...parts].some((start) => parent.startsWith(start))
      if (!isOfPart || !shared.includes(specifier)) return next(specifier, context)
      if (specifier === 'react' || specifier === 'react/jsx-runtime')
        return next(specifier, { ...context, parentURL: repository.href })
      const names = namesOf(specifier).map((name) => `export const ${name} = () => null`)
      return stand([...names, 'export default {}'].join('\n'))
    },
  })
}

function stand(source: string) {
  const url = `data:text/javascript,${encodeURIComponent(source)}`
  return { url, shortCircuit: true, format: 'module' }
}

function namesOf(specifier: string): string[] {
  if (specifier === 'tollgate/console')
    return ownExports(fileURLToPath(new URL('console/index.ts', repository)))
  const loaded = createRequire(new URL('package.json', repository))(specifier) as object
  return Object.keys(loaded).filter((name) => name !== 'default' && /^[A-Za-z_$][\w$]*$/.test(name))
}

function languageFaults({ en, zh }: Part['texts']): string[] {
  const [english, chinese] = [keysOf(en), keysOf(zh)]
  return [
    ...english.filter((key) => !chinese.includes(key)).map((key) => `zh lacks "${key}"`),
    ...chinese.filter((key) => !english.includes(key)).map((key) => `en lacks "${key}"`),
  ]
}

/** Help of an option may speak of placeholders of its own. */
function placeholderFaults({ en, zh }: Part['texts']): string[] {
  return [en, zh].flatMap((texts) =>
    keysOf(texts)
      .filter((key) => !key.startsWith('option'))
      .filter((key) => String(textAt(texts, key)).includes('{{'))
      .map((key) => `"${key}" has {{…}}, which is shown as it stands`),
  )
}

function titleFaults({ en }: Part['texts'], entries: readonly Record<string, unknown>[]): string[] {
  const menus = entries.map(({ menu }) => menu).filter(isObject)
  return [...entries, ...menus]
    .flatMap(({ title, label }) => [title, label])
    .filter((key) => typeof key === 'string')
    .filter((key) => typeof textAt(en, key) !== 'string')
    .map((key) => `texts has no "${key}"`)
}

function keysOf(texts: Texts, before = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    isObject(value) ? keysOf(value, `${before}${key}.`) : [`${before}${key}`],
  )
}

/** Keys of options hold dots themselves. */
function textAt(texts: unknown, path: string): unknown {
  if (!isObject(texts)) return undefined
  if (texts[path] !== undefined) return texts[path]
  const [first = '', ...rest] = path.split('.')
  return rest.length === 0 ? undefined : textAt(texts[first], rest.join('.'))
}

async function checkAsset(
  address: string,
  { consoleModule = '' }: Plugin,
  id: string,
): Promise<void> {
  const path = `/plugin-assets/${id}/${consoleModule.replace(/^\.\//, '')}`
  const { status, headers } = await fetch(address + path)
  const type = headers.get('content-type') ?? ''
  refuse(
    status === 200 && type.includes('javascript')
      ? []
      : [`${path} is answered ${status} (${type})`],
  )
}
