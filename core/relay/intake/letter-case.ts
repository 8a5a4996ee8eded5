// Some upstreams match the names of fields in any letter case, and passed-through bytes reach them as they are.

/** A plain lower-case name cannot be another spelling of anything. */
const mayDiffer = /[^a-z0-9_]/

/** A look-up of names that ignores letter case. It finds nothing for plain lower-case names: look those up directly. */
export function inAnyCase<T>(
  entries: Iterable<readonly [string, T]>,
): (name: string) => T | undefined {
  const byFolded = new Map(Array.from(entries, ([name, value]) => [folded(name), value] as const))
  return (name) => (mayDiffer.test(name) ? byFolded.get(folded(name)) : undefined)
}

/** Folds a name as servers do that ignore letter case: also ſ to s, and the Kelvin sign to k. */
export function folded(name: string): string {
  return name.toUpperCase().toLowerCase()
}
