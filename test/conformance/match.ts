// The subset match of test/fixtures/README.md: `actual ⊇ expected`, with one-key `$…` objects as matchers.
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '#core'

export interface Mismatch {
  /** JSON pointer into the actual value; '' is the whole. */
  at: string
  message: string
}

type Matcher = (actual: unknown, argument: unknown, at: string) => Mismatch[]

export function matchSubset(actual: unknown, expected: unknown, at = ''): Mismatch[] {
  const matcher = matcherOf(expected)
  if (matcher) return matcher.run(actual, matcher.argument, at)
  if (actual === undefined) return fault(at, `is missing, expected ${show(expected)}`)
  if (Array.isArray(expected)) return matchArray(actual, expected, at)
  if (isObject(expected)) return matchObject(actual, expected, at)
  return Object.is(actual, expected) || isZero(actual, expected)
    ? []
    : fault(at, `expected ${show(expected)}, got ${show(actual)}`)
}

/** Resolves an RFC 6901 pointer; undefined when it leads nowhere. */
export function resolvePointer(value: unknown, pointer: string): unknown {
  let current = value
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(current)) current = current[Number(key)]
    else if (isObject(current) && Object.hasOwn(current, key)) current = current[key]
    else return undefined
  }
  return current
}

export function describeMismatches(mismatches: readonly Mismatch[]): string[] {
  return mismatches.map(({ at, message }) => `${at === '' ? '(whole)' : at} ${message}`)
}

/** Short JSON for messages. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text
}

function matcherOf(expected: unknown): { run: Matcher; argument: unknown } | undefined {
  if (!isObject(expected)) return undefined
  const keys = Object.keys(expected)
  const name = keys[0]
  if (keys.length !== 1 || name === undefined || !name.startsWith('$')) return undefined
  const run = matchers[name] ?? ((_, __, at) => fault(at, `the fixture uses ${name}, no matcher`))
  return { run, argument: expected[name] }
}

function matchObject(actual: unknown, expected: object, at: string): Mismatch[] {
  if (!isObject(actual)) return fault(at, `expected an object, got ${show(actual)}`)
  return Object.entries(expected).flatMap(([key, value]) => {
    const below = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return matchSubset(Object.hasOwn(actual, key) ? actual[key] : undefined, value, below)
  })
}

function matchArray(actual: unknown, expected: readonly unknown[], at: string): Mismatch[] {
  if (!Array.isArray(actual)) return fault(at, `expected an array, got ${show(actual)}`)
  const length =
    actual.length === expected.length
      ? []
      : fault(at, `expected ${expected.length} elements, got ${actual.length}: ${show(actual)}`)
  return [
    ...length,
    ...expected
      .slice(0, actual.length)
      .flatMap((value, index) => matchSubset(actual[index], value, `${at}/${index}`)),
  ]
}

const matchers: Record<string, Matcher> = {
  $any: (actual, _, at) => (actual === undefined ? fault(at, 'is missing') : []),
  $absent: (actual, _, at) =>
    actual === undefined ? [] : fault(at, `must be absent, got ${show(actual)}`),
  $type: (actual, type, at) =>
    hasType(actual, type) ? [] : fault(at, `expected type ${show(type)}, got ${show(actual)}`),
  $regex: (actual, pattern, at) =>
    typeof actual === 'string' && new RegExp(String(pattern), 'u').test(actual)
      ? []
      : fault(at, `does not match /${String(pattern)}/u: ${show(actual)}`),
  $contains: (actual, fragment, at) =>
    typeof actual === 'string' && actual.includes(String(fragment))
      ? []
      : fault(at, `does not contain ${show(fragment)}: ${show(actual)}`),
  $json: (actual, expected, at) =>
    matchParsed(actual, at, (value) => matchSubset(value, expected, at)),
  $jsonEq: (actual, expected, at) =>
    matchParsed(actual, at, (value) => matchEqual(value, expected, at)),
  $eq: matchEqual,
  $gte: (actual, least, at) =>
    typeof actual === 'number' && actual >= Number(least)
      ? []
      : fault(at, `expected at least ${show(least)}, got ${show(actual)}`),
  $len: (actual, length, at) =>
    (typeof actual === 'string' || Array.isArray(actual)) && actual.length === length
      ? []
      : fault(at, `expected length ${show(length)}, got ${show(actual)}`),
  $has: (actual, expected, at) =>
    Array.isArray(actual) && actual.some((value) => matchSubset(value, expected).length === 0)
      ? []
      : fault(at, `has no element that matches ${show(expected)}: ${show(actual)}`),
  $oneOf: (actual, alternatives, at) =>
    Array.isArray(alternatives) &&
    alternatives.some((expected) => matchSubset(actual, expected).length === 0)
      ? []
      : fault(at, `matches none of ${show(alternatives)}: ${show(actual)}`),
}

function matchEqual(actual: unknown, expected: unknown, at: string): Mismatch[] {
  return isDeepStrictEqual(actual, expected)
    ? []
    : fault(at, `expected exactly ${show(expected)}, got ${show(actual)}`)
}

function matchParsed(
  actual: unknown,
  at: string,
  check: (value: unknown) => Mismatch[],
): Mismatch[] {
  if (typeof actual !== 'string') return fault(at, `expected JSON text, got ${show(actual)}`)
  try {
    return check(JSON.parse(actual))
  } catch {
    return fault(at, `is no JSON: ${show(actual)}`)
  }
}

function hasType(actual: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return actual === null
    case 'array':
      return Array.isArray(actual)
    case 'object':
      return isObject(actual)
    case 'integer':
      return Number.isInteger(actual)
    default:
      return typeof actual === type
  }
}

/** JSON has -0; as a value it is 0. */
function isZero(actual: unknown, expected: unknown): boolean {
  return actual === 0 && expected === 0
}

function fault(at: string, message: string): Mismatch[] {
  return [{ at, message }]
}
