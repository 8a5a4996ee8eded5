// What stands in place of what was found, in one call: the same for the same text, wherever it stands.
import { findAll, type Search } from './find/personal-finders.ts'
import { bracketed } from './find/bracketed.ts'
import type { CountedKind } from './schema.ts'

export class Marks {
  readonly #searches: readonly Search[]
  /** In marks of calls that go on from stored ones: those may hold marks, too, which mean something else. */
  readonly #tag: string
  /** By what is hidden. */
  readonly #marks = new Map<string, string>()
  /** What is hidden, by its mark. */
  readonly hidden = new Map<string, string>()
  readonly #numbers = new Map<string, number>()
  /** What the client wrote himself in the form of a mark. */
  readonly #taken = new Set<string>()
  readonly counts = new Map<CountedKind, number>()

  constructor(searches: readonly Search[], tag = '') {
    this.#searches = searches
    this.#tag = tag
  }

  /** Keeps the marks that a text holds before any is given. */
  reserve(text: string): void {
    for (const { start, end } of bracketed(text, LONGEST_MARK))
      if (marked.test(text.slice(start, end))) this.#taken.add(text.slice(start, end))
  }

  hide(text: string): string {
    let shown = ''
    let from = 0
    for (const { start, end, search } of findAll(text, this.#searches)) {
      shown += text.slice(from, start) + this.#markOf(text.slice(start, end), search)
      from = end
    }
    return from === 0 ? text : shown + text.slice(from)
  }

  #markOf(value: string, { kind, name }: Search): string {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
    const known = this.#marks.get(value)
    if (known !== undefined) return known
    const mark = this.#freeMark(name)
    this.#marks.set(value, mark)
    this.hidden.set(mark, value)
    return mark
  }

  #freeMark(name: string): string {
    for (;;) {
      const number = (this.#numbers.get(name) ?? 0) + 1
      this.#numbers.set(name, number)
      const mark = `[${name}_${this.#tag}${number}]`
      if (!this.#taken.has(mark)) return mark
    }
  }
}

/** Name, tag, number and brackets. */
const LONGEST_MARK = 40
const marked = /^\[[A-Z0-9_]{1,38}\]$/
