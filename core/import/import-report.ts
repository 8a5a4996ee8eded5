/** Examples that a line names. */
const MOST_NAMED = 5

/** Of these every one is named, because each is to be looked at. */
const ALWAYS_NAMED: ReadonlySet<string> = new Set([
  'options',
  'prices of models',
  'ratios of outputs',
])

interface Left {
  count: number
  named: string[]
}

/** What an import took over and what it left out. */
export class ImportReport {
  readonly #taken = new Map<string, number>()
  readonly #left = new Map<string, Map<string, Left>>()
  readonly #notes: string[] = []

  take(table: string, count = 1): void {
    this.#taken.set(table, (this.#taken.get(table) ?? 0) + count)
  }

  /** @param reason completes "… were left out: …"
   *  @param name of the row, if the operator has to find it */
  leaveOut(table: string, reason: string, name?: string): void {
    const reasons = this.#left.get(table) ?? new Map<string, Left>()
    this.#left.set(table, reasons)
    const left = reasons.get(reason) ?? { count: 0, named: [] }
    reasons.set(reason, left)
    left.count += 1
    const isNamed = left.named.length < MOST_NAMED || ALWAYS_NAMED.has(table)
    if (name !== undefined && isNamed) left.named.push(name)
  }

  note(line: string): void {
    this.#notes.push(line)
  }

  lines(): string[] {
    const taken = [...this.#taken].map(([table, count]) => `${table}: ${count}`)
    const left = [...this.#left].flatMap(([table, reasons]) =>
      [...reasons].map(([reason, { count, named }]) => {
        const more = count > named.length ? ', …' : ''
        const names = named.length === 0 ? '' : ` (${named.join(', ')}${more})`
        return `${table}: ${count} left out, ${reason}${names}`
      }),
    )
    return [...taken, ...left, ...this.#notes]
  }
}
