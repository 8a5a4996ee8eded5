// The parts of a plugin's manifest that others read: each is checked before it is used, so that an error names the wrong key.
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import semver from 'semver'
import { isObject } from '../../contract/json.ts'
import type { OptionUi, OptionWidget } from '../../contract/options.ts'
import type { Plugin } from '../../contract/plugin.ts'
import { checkAsks } from './check-asks.ts'
import { isWords } from '../check-values.ts'

const optionName = /^[A-Za-z0-9_.]{1,64}$/
const MAX_ORIGINS = 32

/** @throws Error that names the key */
export function checkPlugin(plugin: Plugin, contractVersion: string): void {
  checkRange(plugin, contractVersion)
  checkTexts(plugin)
  checkOptions(plugin)
  checkOrigins(plugin)
  checkAsks(plugin)
  checkCommands(plugin)
  checkMigrations(plugin)
}

function checkRange({ contract, version }: Plugin, contractVersion: string): void {
  if (version !== undefined && !semver.valid(version))
    throw new Error(`key "version" is "${version.slice(0, 40)}", which is no version such as 1.0.0`)
  if (contract !== undefined && (contract === '' || semver.validRange(contract) === null))
    throw new Error(`key "contract" is "${contract.slice(0, 80)}", which is no range such as ^1.3`)
  if (contract !== undefined && !semver.satisfies(contractVersion, contract))
    throw new Error(
      `key "contract" asks for ${contract.slice(0, 80)}, this host has ${contractVersion}`,
    )
}

function checkTexts({ summary, requires = [], consoleModule }: Plugin): void {
  if (summary !== undefined && !(isLine(summary.en) && isLine(summary.zh)))
    throw new Error('key "summary" needs the texts "en" and "zh" of at most 500 letters')
  if (!requires.every((id) => typeof id === 'string'))
    throw new Error('key "requires" holds something else than ids of plugins')
  if (consoleModule === undefined) return
  const parts = consoleModule.replace(/^\.\//, '').split('/')
  const isInside = parts.every((part) => /^[\w-][\w.-]*$/.test(part))
  if (!isInside || !/\.m?js$/.test(consoleModule))
    throw new Error(
      `key "consoleModule" is "${consoleModule.slice(0, 80)}", which is no .js file of the plugin`,
    )
}

function isLine(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 500
}

function checkOptions({ options }: Plugin): void {
  if (options === undefined) return
  const { schema, preconditions, check } = options as Partial<typeof options>
  if (!isObject(schema) || !isObject(schema.properties) || schema.type !== 'object')
    throw new Error('key "options" is not what defineOptions(…) gives')
  const isRule = (rule: unknown) =>
    isObject(rule) && typeof rule['key'] === 'string' && isTexts(rule['needs'])
  if (!Array.isArray(preconditions) || !preconditions.every(isRule))
    throw new Error('key "options.preconditions" is no list of { key, needs }')
  if (check !== undefined && typeof check !== 'function')
    throw new Error('key "options.check" must be a function')
  for (const [key, option] of Object.entries<unknown>(schema.properties)) checkOption(key, option)
}

function checkOption(key: string, schema: unknown): void {
  const place = `option "${key.slice(0, 80)}"`
  if (!optionName.test(key))
    throw new Error(`${place} has a name that is not of letters, digits, _ and ., up to 64`)
  if (!isObject(schema)) throw new Error(`${place} has no schema`)
  checkUi(place, schema['x-ui'])
  if (schema['default'] === undefined) throw new Error(`${place} has no default`)
  let isSound: boolean
  try {
    isSound = Value.Check(schema as TSchema, schema['default'])
    JSON.stringify(schema)
  } catch (cause) {
    throw new Error(`${place} has a schema that cannot be used`, { cause })
  }
  if (!isSound) throw new Error(`${place} has a default that its own schema refuses`)
}

type UiRule = (value: unknown) => boolean

const isFlag: UiRule = (value) => typeof value === 'boolean'
const isWord: UiRule = (value) => typeof value === 'string' && /^[\w-]{1,64}$/.test(value)
const isTexts: UiRule = (value) =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')

const widgets: Readonly<Record<OptionWidget, true>> = {
  textarea: true,
  lines: true,
  tags: true,
  'rich-text': true,
  code: true,
  quota: true,
  'auto-switch': true,
}

const uiRules: Readonly<Record<keyof OptionUi, UiRule>> = {
  label: isWords,
  help: isWords,
  secret: isFlag,
  boundTo: isTexts,
  host: isFlag,
  tab: isWord,
  section: isWord,
  order: (value) => typeof value === 'number' && Number.isFinite(value),
  widget: (value) => typeof value === 'string' && Object.hasOwn(widgets, value),
  unit: (value) => typeof value === 'string',
  presets: (value) =>
    Array.isArray(value) &&
    value.every((entry) => typeof entry === 'string' || typeof entry === 'number'),
  choicesFrom: (value) => typeof value === 'string' && value.startsWith('/api/'),
  showIf: isObject,
  needs: isTexts,
  confirmOff: isFlag,
  example: () => true,
  url: isFlag,
  hidden: isFlag,
}

/** Of an option or of a channel's setting. @throws Error that names the word */
export function checkUi(place: string, ui: unknown): void {
  if (ui === undefined) return
  if (!isObject(ui)) throw new Error(`${place} has an "x-ui" that is no object`)
  for (const [word, value] of Object.entries(ui)) {
    if (value === undefined) continue
    const rule = Object.hasOwn(uiRules, word) ? uiRules[word as keyof OptionUi] : undefined
    if (!rule) throw new Error(`${place} says "x-ui.${word.slice(0, 40)}", which is not known`)
    if (!rule(value)) throw new Error(`${place} has a value of "x-ui.${word}" that is not right`)
  }
}

const originKinds = new Set(['script', 'frame', 'connect', 'image'])

/** They become part of a header: nothing but whole origins gets there. */
function checkOrigins({ origins = {} }: Plugin): void {
  for (const [kind, list] of Object.entries<unknown>(origins)) {
    if (!originKinds.has(kind)) throw new Error(`key "origins.${kind.slice(0, 40)}" is not known`)
    if (!Array.isArray(list) || list.length > MAX_ORIGINS)
      throw new Error(`key "origins.${kind}" is no list of at most ${MAX_ORIGINS} origins`)
    const wrong: unknown = list.find((origin) => !isOrigin(origin))
    if (wrong !== undefined)
      throw new Error(
        `key "origins.${kind}" holds ${JSON.stringify(wrong)?.slice(0, 80)}, which is no origin such as https://example.com`,
      )
  }
}

function isOrigin(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^(?:https?|wss?):\/\/(?:\*\.)?[a-z0-9.-]{1,253}(?::\d{1,5})?$/i.test(value)
  )
}

function checkCommands({ cliCommands = [] }: Plugin): void {
  for (const command of cliCommands as readonly unknown[]) {
    const { id, summary, run } = isObject(command) ? command : {}
    const isId = typeof id === 'string' && /^[a-z][a-z0-9-]*$/.test(id)
    if (!isId || typeof summary !== 'string' || typeof run !== 'function')
      throw new Error(
        `key "cliCommands" holds "${String(id).slice(0, 80)}", which is no command with summary and run`,
      )
  }
}

function checkMigrations({ id: plugin, migrations = [] }: Plugin): void {
  let last = ''
  for (const migration of migrations as readonly unknown[]) {
    const { id, up } = isObject(migration) ? migration : {}
    const name = String(id).slice(0, 120)
    const isNamed =
      name.startsWith(`${plugin}-`) && /^\d{4}-[\w-]+$/.test(name.slice(plugin.length + 1))
    if (!isNamed)
      throw new Error(`key "migrations" holds "${name}", which is not ${plugin}-0001-name`)
    if (typeof up !== 'function') throw new Error(`key "migrations" holds "${name}" without up`)
    if (name <= last) throw new Error(`key "migrations" holds "${name}" out of order`)
    last = name
  }
}
