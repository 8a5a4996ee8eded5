import { type Found, requiresOf } from '../discover.ts'
import type { Blame } from '../plugin-fault.ts'

/** The cycle of requirements because of which "switch on what it needs first" would never end. Undefined if no cycle is known. */
export async function requirementCycle(
  first: Found,
  plugins: { find(id: string): Found | undefined },
): Promise<Blame | undefined> {
  const seen = new Set<string>()
  const wayBack = async (found: Found, path: readonly string[]): Promise<string[] | undefined> => {
    for (const id of await requiresOf(found)) {
      if (id === first.id) return [...path, id]
      const next = seen.has(id) ? undefined : plugins.find(id)
      seen.add(id)
      const way = next && (await wayBack(next, [...path, id]))
      if (way) return way
    }
    return undefined
  }
  const way = await wayBack(first, [first.id])
  return way && { stage: 'circle', detail: way.join(' → ') }
}
