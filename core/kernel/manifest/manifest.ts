import type { Adapter } from '../../contract/adapter.ts'
import type { Plugin } from '../../contract/plugin.ts'
import type { TaskPlatform } from '../../contract/task.ts'
import { checkPlugin, checkUi } from './check-plugin.ts'
import { checkPrices } from './check-prices.ts'
import { isObject } from '../../contract/json.ts'
import { plainCopy } from './plain-copy.ts'

const CONTRACT_VERSION = '1.3.0'

type KeyRule = 'string' | 'number' | 'function' | 'array' | 'object' | 'any'

const pluginKeys: Record<string, KeyRule> = {
  kind: 'string',
  id: 'string',
  version: 'string',
  summary: 'object',
  contract: 'string',
  requires: 'array',
  options: 'object',
  migrations: 'array',
  cliCommands: 'array',
  isEssential: 'any',
  origins: 'object',
  asks: 'object',
  consoleModule: 'string',
  server: 'function',
}

const adapterKeys: Record<string, KeyRule> = {
  kind: 'string',
  id: 'string',
  channelTypes: 'object',
  baseUrl: 'string',
  models: 'array',
  prices: 'object',
  operations: 'object',
  tasks: 'object',
  form: 'object',
  countFields: 'array',
  settings: 'object',
  checkChannel: 'function',
  resolveModel: 'function',
  readError: 'function',
  classify: 'function',
  isRetryable: 'function',
  transport: 'function',
  fetchModels: 'function',
  fetchBalance: 'function',
  isTestable: 'any',
  ownedBy: 'string',
  summary: 'string',
  mark: 'string',
  makes: 'array',
  picker: 'object',
}

const operationKeys = new Set([
  'chat',
  'count_tokens',
  'completions',
  'embeddings',
  'moderations',
  'decisions',
  'images.generations',
  'images.edits',
  'audio.speech',
  'audio.transcriptions',
  'audio.translations',
  'rerank',
  'realtime',
  'responses.compact',
  'responses.input_tokens',
  'gemini.count_tokens',
])

/** Checks a module's default export against the manifest rules. Returns a copy, so that nothing in it can change or throw later.
 *  @throws Error that names the key */
export function checkManifest(exported: unknown, folderName: string): Adapter | Plugin {
  const copy: unknown = plainCopy(exported)
  const value = copy
  if (!isObject(value) || (value['kind'] !== 'plugin' && value['kind'] !== 'adapter')) {
    throw new Error('the default export is neither definePlugin(…) nor defineAdapter(…)')
  }
  const isAdapter = value['kind'] === 'adapter'
  checkKeys(value, isAdapter ? adapterKeys : pluginKeys)
  if (value['id'] !== folderName) {
    throw new Error(
      `key "id" is "${String(value['id']).slice(0, 80)}", but the folder is named "${folderName}"`,
    )
  }
  if (isAdapter) checkAdapter(copy as Adapter)
  else checkPlugin(copy as Plugin, CONTRACT_VERSION)
  return Object.freeze(copy as Adapter | Plugin)
}

function checkKeys(manifest: Record<string, unknown>, rules: Record<string, KeyRule>): void {
  for (const [key, value] of Object.entries(manifest)) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined
    if (!rule)
      throw new Error(
        `key "${key.slice(0, 80)}" is not known; known keys: ${Object.keys(rules).slice(1).join(', ')}`,
      )
    if (value === undefined || rule === 'any') continue
    const actual = Array.isArray(value) ? 'array' : typeof value
    if (actual !== rule) throw new Error(`key "${key}" must be of type ${rule}, not ${actual}`)
  }
}

function checkAdapter(adapter: Adapter): void {
  for (const key of ['channelTypes', 'baseUrl', 'models', 'operations', 'summary'] as const) {
    if (adapter[key] === undefined) throw new Error(`key "${key}" is missing`)
  }
  for (const type of Object.keys(adapter.channelTypes)) {
    if (!/^[1-9]\d*$/.test(type))
      throw new Error(`key "channelTypes" holds "${type}", which is no channel type number`)
  }
  for (const [type, described] of Object.entries<unknown>(adapter.channelTypes)) {
    const name = isObject(described) ? described['name'] : described
    if (typeof name !== 'string') throw new Error(`key "channelTypes.${type}" has no name`)
  }
  if (!adapter.models.every((model) => typeof model === 'string'))
    throw new Error('key "models" holds something else than names')
  for (const operation of Object.keys(adapter.operations)) {
    if (!operationKeys.has(operation)) throw new Error(`key "operations.${operation}" is not known`)
  }
  checkFace(adapter)
  checkSettings(adapter)
  if (adapter.prices) checkPrices(adapter.prices)
  if (adapter.tasks) checkTasks(adapter.tasks)
}

/** The form of a channel is drawn from it. */
function checkSettings({ settings }: Adapter): void {
  if (settings === undefined) return
  const properties: unknown = settings['properties'] ?? {}
  if (!isObject(properties)) throw new Error('key "settings" is no object schema')
  for (const [name, schema] of Object.entries(properties)) {
    const place = `setting "${name.slice(0, 80)}"`
    if (!isObject(schema)) throw new Error(`${place} has no schema`)
    checkUi(place, schema['x-ui'])
  }
}

const pickerKeys = new Set(['section', 'zh', 'aliases'])
const sections = new Set(['popular', 'self-hosted', 'china', 'media'])

function checkFace({ mark, makes = [], picker = {} }: Adapter): void {
  if (mark !== undefined && !isMark(mark)) {
    throw new Error(
      'key "mark" is neither a name of the icon set nor an SVG document of at most 32 kB',
    )
  }
  if (makes.some((start) => typeof start !== 'string' || !/^[^\sA-Z]{2,64}$/.test(start))) {
    throw new Error('key "makes" holds something else than beginnings of model names, lower case')
  }
  for (const key of Object.keys(picker)) {
    if (!pickerKeys.has(key)) throw new Error(`key "picker.${key}" is not known`)
  }
  if (picker.section !== undefined && !sections.has(picker.section)) {
    throw new Error(`key "picker.section" is "${picker.section}", not ${[...sections].join(', ')}`)
  }
}

function isMark(mark: string): boolean {
  return /^[a-z0-9]{1,40}$/.test(mark) || (mark.startsWith('<svg') && mark.length <= 32_768)
}

function checkTasks(tasks: TaskPlatform): void {
  for (const key of [
    'id',
    'routes',
    'writeError',
    'defaultPrice',
    'send',
    'readAnswer',
    'poll',
    'show',
  ] as const) {
    if (tasks[key] === undefined) throw new Error(`key "tasks.${key}" is missing`)
  }
}
