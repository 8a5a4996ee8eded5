// A channel's `param_override`: fields that replace those of the body that goes upstream, and under `operations` a list of
// finer changes. The list has the form that databases of new-api have (docs.newapi.pro, channel management).
import { RE2JS } from 're2js'
import { isObject, type JsonObject } from '../contract/json.ts'

export type Path = readonly string[]

const modes = [
  'set',
  'delete',
  'move',
  'copy',
  'append',
  'prepend',
  'trim_prefix',
  'trim_suffix',
  'ensure_prefix',
  'ensure_suffix',
  'trim_space',
  'to_lower',
  'to_upper',
  'replace',
  'regex_replace',
] as const

const comparisons = ['full', 'prefix', 'suffix', 'contains', 'gt', 'gte', 'lt', 'lte'] as const

export type ChangeMode = (typeof modes)[number]
export type Comparison = (typeof comparisons)[number]

export interface Condition {
  path: Path
  mode: Comparison
  value: unknown
  isInverted: boolean
  /** What counts where there is nothing at the path. */
  whenMissing: boolean
}

/** One change of a body. */
export interface BodyChange {
  mode: ChangeMode
  path: Path
  /** Where `move` and `copy` take from. */
  source: Path
  value: unknown
  /** What `replace` replaces, and by what. */
  from: string
  to: string
  /** What `regex_replace` replaces, by `to`. Matched in linear time. */
  pattern?: RE2JS
  /** Leaves alone what is there already. */
  keepsOwn: boolean
  conditions: readonly Condition[]
  needsAll: boolean
}

export interface ParamOverride {
  /** Replace those of the body. */
  fields: Readonly<JsonObject>
  /** Made after that, in this order. */
  changes: readonly BodyChange[]
}

const MOST_CHANGES = 100
const MOST_CONDITIONS = 20
const MOST_STEPS = 32
const LONGEST_PATTERN = 1000
/** Of a compiled pattern, each about a kilobyte: repetitions make many of a short text. */
const MOST_INSTRUCTIONS = 4096
/** For these the client's call has been admitted. */
const fixed: ReadonlySet<string> = new Set(['model', 'stream'])
const betweenPaths: ReadonlySet<string> = new Set(['move', 'copy'])

/** Reads it. Undefined if it changes nothing; `faulty` is the first operation that is none, counted from 1. */
export function readParamOverride(given: JsonObject): {
  override: ParamOverride | undefined
  faulty?: number
} {
  const { operations, ...others } = given
  const isList = Array.isArray(operations)
  const entries = Object.entries(isList ? others : given).filter(([name]) => !fixed.has(name))
  const fields = Object.freeze(Object.fromEntries(entries))
  const changes: BodyChange[] = []
  for (const [index, operation] of (isList ? (operations as unknown[]) : []).entries()) {
    const change = index < MOST_CHANGES ? changeOf(operation) : undefined
    if (change === undefined) return { override: { fields, changes }, faulty: index + 1 }
    changes.push(change)
  }
  const isEmpty = entries.length === 0 && changes.length === 0
  return { override: isEmpty ? undefined : { fields, changes } }
}

/** `a.0.b` as its steps; a dot that belongs to a name is written `\.`. Undefined if it is none. */
function pathOf(text: unknown): Path | undefined {
  if (typeof text !== 'string' || text === '') return undefined
  const steps = text.split(/(?<!\\)\./).map((step) => step.replaceAll('\\.', '.'))
  return steps.length > MOST_STEPS || steps.includes('') ? undefined : steps
}

function changeOf(operation: unknown): BodyChange | undefined {
  if (!isObject(operation)) return undefined
  const { mode, path, value, from = '', to = '', keep_origin: keepsOwn, logic = 'OR' } = operation
  const conditions = conditionsOf(operation['conditions'])
  if (!isOneOf(modes, mode) || conditions === undefined) return undefined
  if (typeof from !== 'string' || typeof to !== 'string') return undefined
  if (typeof logic !== 'string') return undefined
  const isBetween = betweenPaths.has(mode)
  const target = pathOf(isBetween ? to : path)
  const source = isBetween ? pathOf(from) : []
  if (target === undefined || source === undefined || (mode === 'replace' && from === ''))
    return undefined
  const pattern = mode === 'regex_replace' ? patternOf(from) : undefined
  if (mode === 'regex_replace' && pattern === undefined) return undefined
  if ([target, source].some(([first = '']) => fixed.has(first))) return undefined
  if (/^(?:trim|ensure)_(?:pre|suf)fix$/.test(mode) && typeof value !== 'string') return undefined
  const needsAll = logic.toUpperCase() === 'AND'
  const words = { value, from, to, keepsOwn: keepsOwn === true, ...(pattern ? { pattern } : {}) }
  return { mode, path: target, source, ...words, conditions, needsAll }
}

/** Undefined if it is too large or none in RE2's syntax, which new-api's language has too (github.com/google/re2/wiki/Syntax). */
function patternOf(text: string): RE2JS | undefined {
  if (text.length > LONGEST_PATTERN) return undefined
  try {
    const pattern = RE2JS.compile(text)
    return pattern.programSize() > MOST_INSTRUCTIONS ? undefined : pattern
  } catch {
    return undefined
  }
}

function conditionsOf(given: unknown): Condition[] | undefined {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given) || given.length > MOST_CONDITIONS) return undefined
  const read = given.map(conditionOf)
  return read.includes(undefined) ? undefined : (read as Condition[])
}

function conditionOf(given: unknown): Condition | undefined {
  if (!isObject(given)) return undefined
  const { mode = 'full', value } = given
  const path = pathOf(given['path'])
  if (path === undefined || !isOneOf(comparisons, mode)) return undefined
  return {
    path,
    mode,
    value,
    isInverted: given['invert'] === true,
    whenMissing: given['pass_missing_key'] === true,
  }
}

function isOneOf<T extends string>(list: readonly T[], word: unknown): word is T {
  return list.includes(word as T)
}
