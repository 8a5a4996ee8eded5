import { errorText } from '../error-text.ts'

/** More than any manifest needs; without a bound, an endless manifest would be sent to every console. */
const MAX_NODES = 100_000
const MAX_LETTERS = 4_194_304
const MAX_DEPTH = 40

interface Reading {
  nodes: number
  letters: number
  /** What is being read, to find circles. */
  readonly open: Set<object>
  readonly done: Map<object, unknown>
}

/** Copies plain objects and lists, so that getters are called only once; functions and other objects stay as they are.
 *  @throws Error naming the place: a getter that throws, a cycle, more than a manifest may hold */
export function plainCopy<T>(value: T): T {
  const reading: Reading = { nodes: 0, letters: 0, open: new Set(), done: new Map() }
  return copyOf(value, [], reading) as T
}

function copyOf(value: unknown, place: readonly string[], reading: Reading): unknown {
  count(value, place, reading)
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  if (reading.open.has(value)) throw new Error(`key "${nameOf(place)}" holds itself`)
  if (place.length > MAX_DEPTH) throw new Error(`key "${nameOf(place)}" is nested too deep`)
  const known = reading.done.get(value)
  if (known !== undefined) return known
  reading.open.add(value)
  const copy = Array.isArray(value)
    ? value.map((entry: unknown, index) => copyOf(entry, [...place, String(index)], reading))
    : copyOfObject(value as Record<PropertyKey, unknown>, place, reading)
  reading.open.delete(value)
  reading.done.set(value, copy)
  return copy
}

function copyOfObject(
  value: Record<PropertyKey, unknown>,
  place: readonly string[],
  reading: Reading,
): object {
  const copy: Record<PropertyKey, unknown> = {}
  for (const key of Reflect.ownKeys(value)) {
    if (!Object.prototype.propertyIsEnumerable.call(value, key)) continue
    const at = [...place, String(key)]
    const entry = copyOf(valueAt(value, key, at), at, reading)
    // An own key, also where it is called __proto__.
    Object.defineProperty(copy, key, {
      value: entry,
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
  return copy
}

function valueAt(
  value: Record<PropertyKey, unknown>,
  key: PropertyKey,
  place: readonly string[],
): unknown {
  try {
    return value[key]
  } catch (cause) {
    const reason = errorText(cause)
    throw new Error(`key "${nameOf(place)}" cannot be read: ${reason}`, { cause })
  }
}

function count(value: unknown, place: readonly string[], reading: Reading): void {
  reading.nodes += 1
  if (typeof value === 'string') reading.letters += value.length
  if (reading.nodes > MAX_NODES || reading.letters > MAX_LETTERS)
    throw new Error(`it is too large, from key "${nameOf(place.slice(0, 1))}" on`)
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function nameOf(place: readonly string[]): string {
  return place.length === 0 ? 'default' : place.slice(0, 6).join('.')
}
