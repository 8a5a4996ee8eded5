// Replaces what was found with marks. Within a call, the same text gets the same mark wherever it occurs.
import { findAll, type Search } from './find/personal-finders.ts'
import { bracketed } from './find/bracketed.ts'
import type { CountedKind } from './schema.ts'

export class Marks {
  readonly #searches: readonly Search[]
  /** Is part of each mark in a call that continues a stored conversation, because that may contain marks of other
   *  calls with another meaning. */
  readonly #tag: string
  /** Marks by the text that they hide. */
  readonly #marks = new Map<string, string>()
  /** Hidden texts by their marks. */
  readonly hidden = new Map<string, string>()
  readonly #numbers = new Map<string, number>()
  /** Texts in the form of a mark that the client itself wrote. */
  readonly #taken = new Set<string>()
  readonly counts = new Map<CountedKind, number>()

  constructor(searches: readonly Search[], tag = '') {
    this.#searches = searches
    this.#tag = tag
  }

  /** Reserves the marks that a text already contains. Called for all texts before the first mark is given. */
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

/** The length of a name, tag, number and brackets. */
const LONGEST_MARK = 40
const marked = /^\[[A-Z0-9_]{1,38}\]$/
