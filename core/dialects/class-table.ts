import type { FailureClass, RawFailure } from '../contract/errors.ts'

/** Reads the class of a failure off a provider's own list of codes and types. A key that ends in `*` stands for all words that begin so; the
 *  longest key that fits wins, and a code wins over a type. */
export function classTable(
  table: Readonly<Record<string, FailureClass>>,
): (failure: Pick<RawFailure, 'code' | 'type'>) => FailureClass | undefined {
  const exact = new Map<string, FailureClass>()
  const prefixes: { start: string; failureClass: FailureClass }[] = []
  for (const [key, failureClass] of Object.entries(table)) {
    if (key.endsWith('*')) prefixes.push({ start: key.slice(0, -1), failureClass })
    else exact.set(key, failureClass)
  }
  prefixes.sort((a, b) => b.start.length - a.start.length)
  const find = (word: string): FailureClass | undefined =>
    exact.get(word) ?? prefixes.find(({ start }) => word.startsWith(start))?.failureClass
  return ({ code, type }) =>
    (code === null ? undefined : find(String(code))) ?? (type ? find(type) : undefined)
}
