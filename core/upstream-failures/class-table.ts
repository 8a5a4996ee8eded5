import type { FailureClass, RawFailure } from '../contract/errors.ts'

/** Codes and types by the class that they mean. A word that ends in `*` stands for all that begin so. */
export type ClassWords = Readonly<Partial<Record<FailureClass, readonly (string | number)[]>>>

/** Reads the class of a failure off a provider's own lists. The longest word that fits wins, and a code wins over a type. */
export function classTable(
  ...lists: readonly ClassWords[]
): (failure: Pick<RawFailure, 'code' | 'type'>) => FailureClass | undefined {
  const exact = new Map<string, FailureClass>()
  const prefixes: { start: string; failureClass: FailureClass }[] = []
  for (const [word, failureClass] of lists.flatMap(entriesOf)) {
    if (word.endsWith('*')) prefixes.push({ start: word.slice(0, -1), failureClass })
    else exact.set(word, failureClass)
  }
  prefixes.sort((a, b) => b.start.length - a.start.length)
  const find = (word: string): FailureClass | undefined =>
    exact.get(word) ?? prefixes.find(({ start }) => word.startsWith(start))?.failureClass
  return ({ code, type }) =>
    (code === null ? undefined : find(String(code))) ?? (type ? find(type) : undefined)
}

function entriesOf(words: ClassWords): [string, FailureClass][] {
  return Object.entries(words).flatMap(([failureClass, list]) =>
    list.map((word): [string, FailureClass] => [String(word), failureClass as FailureClass]),
  )
}
