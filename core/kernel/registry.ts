import { checkEntry, type Point } from './guards/check-entries.ts'

/** A named list of contributions. Each entry has an owner; a second entry with the same id is refused, naming both owners. */
export class ContributionRegistry<T extends { id: string }> {
  readonly #point: Point
  readonly #entries = new Map<string, { owner: string; entry: T }>()

  constructor(point: Point) {
    this.#point = point
  }

  /** @throws Error when another owner has an entry of this id */
  add(owner: string, entry: T): void {
    const other = this.#entries.get(entry.id)
    if (other) {
      throw new Error(
        `${this.#point} "${entry.id}" comes from "${owner}", but "${other.owner}" has it already`,
      )
    }
    this.#entries.set(entry.id, { owner, entry })
  }

  get(id: string): T | undefined {
    return this.#entries.get(id)?.entry
  }

  ownerOf(id: string): string | undefined {
    return this.#entries.get(id)?.owner
  }

  list(): readonly T[] {
    return [...this.#entries.values()].map(({ entry }) => entry)
  }

  owned(): readonly { owner: string; entry: T }[] {
    return [...this.#entries.values()]
  }

  /** The view that one plugin gets. `guard` keeps faults of its entries from affecting others. */
  of(owner: string, guard = (entry: T): T => entry): { add(entry: T): void } {
    return {
      add: (entry) => {
        checkEntry(this.#point, entry)
        this.add(owner, guard(entry))
      },
    }
  }
}
