// Generates the reference pages from the code, so that they are always true: environment, options, channel types.
import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { isObject } from '../../contract/json.ts'
import type { OptionDefinitions } from '../../contract/options.ts'
import { defaultPrices } from '../../billing/prices/default-prices.ts'
import { coreOptions } from '../../app/core-options.ts'
import { discover, load } from '../../kernel/discover.ts'
import { encodeOption, uiOf } from '../../kernel/options/option-codec.ts'
import { registerResolveHook } from '../../kernel/resolve-hook.ts'
import { root } from '../../app/root.ts'
import { defaults, environmentSchema } from '../../app/configuration.ts'
import { channelTypesPage } from './channel-types-page.ts'
import { referencePage } from './reference-page.ts'

const LONGEST_DEFAULT = 60

/** The pages by their file name below docs/. */
export async function makeReferences(): Promise<Map<string, string>> {
  registerResolveHook(root)
  const manifests = (
    await Promise.all((await discover(root, [])).map((found) => load(found)))
  ).flatMap((outcome) => ('manifest' in outcome ? [outcome.manifest] : []))
  const plugins = manifests.flatMap((manifest) =>
    manifest.kind === 'plugin' && manifest.options
      ? [{ owner: manifest.id, definitions: manifest.options }]
      : [],
  )
  const adapters = manifests.filter((manifest) => manifest.kind === 'adapter')
  const core = coreOptions(defaults, defaultPrices(adapters))
  return new Map([
    ['environment.md', environmentPage()],
    ['options.md', optionsPage([{ owner: 'core', definitions: core }, ...plugins])],
    ['channel-types.md', channelTypesPage(adapters, core)],
  ])
}

/** Writes the pages.
 *  @returns the files written, relative to the repository */
export async function writeReferences(): Promise<string[]> {
  const pages = await makeReferences()
  for (const [name, text] of pages) await writeFile(join(root, 'docs', name), text)
  return [...pages.keys()].map((name) => `docs/${name}`)
}

function environmentPage(): string {
  const rows = Object.entries(environmentSchema.properties as Record<string, TSchema>).map(
    ([name, schema]) => [
      `\`${name}\``,
      schema.default === '' ? '' : `\`${String(schema.default)}\``,
      schema.description ?? '',
    ],
  )
  return referencePage(
    'Environment',
    'All optional. A wrong value stops the start with one sentence that names the variable. Made by `npm run docs`.',
    ['Variable', 'Default', 'Meaning'],
    rows,
  )
}

interface OptionGroup {
  /** The plugin's id, or `core`. */
  owner: string
  definitions: OptionDefinitions
}

function optionsPage(groups: readonly OptionGroup[]): string {
  const labels = optionLabels()
  const rows = groups.flatMap(({ owner, definitions }) =>
    Object.entries(definitions.schema.properties as Record<string, TSchema>).map(
      ([key, schema]) => [
        `\`${key}\``,
        labels.map((texts) => labelAt(texts, key)).find(Boolean) ?? '',
        typeOf(schema),
        shortDefault(schema),
        uiOf(schema).secret ? 'yes' : '',
        owner,
      ],
    ),
  )
  return referencePage(
    'Options',
    'What an administrator sets in the console, with its label there; an option without a label is for older consoles. On the wire every value is a string. Made by `npm run docs`.',
    ['Key', 'Label', 'Type', 'Default', 'Secret', 'Owner'],
    rows.sort(([left = ''], [right = '']) => (left < right ? -1 : 1)),
  )
}

/** The texts of each plugin. The labels of core's own options are in the texts of the screens that show them. */
function optionLabels(): unknown[] {
  return globSync('plugins/*/locales/en.json', { cwd: root }).map((file) => {
    const texts = JSON.parse(readFileSync(join(root, file), 'utf8')) as { options?: unknown }
    return texts.options
  })
}

/** The label under the whole key, or under its parts as a path. */
function labelAt(texts: unknown, key: string): string {
  if (isObject(texts) && typeof texts[key] === 'string') return texts[key]
  const found = key
    .split('.')
    .reduce<unknown>((level, name) => (isObject(level) ? level[name] : undefined), texts)
  return typeof found === 'string' ? found : ''
}

function typeOf(schema: TSchema): string {
  if (schema.type === 'object') return 'JSON map'
  if (schema.type === 'array') return 'JSON list'
  return String(schema.type ?? 'text')
}

function shortDefault(schema: TSchema): string {
  const text = encodeOption(schema.default ?? '')
  if (text === '') return ''
  if (text.length > LONGEST_DEFAULT)
    return schema.type === 'object' ? 'shipped table' : `\`${text.slice(0, LONGEST_DEFAULT)}…\``
  return `\`${text.replaceAll('\n', ' ')}\``
}
