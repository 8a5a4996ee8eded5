// Marks stand for what was hidden in one call: `[EMAIL_1]`.
import type { Kind } from './find.ts'

const mark = /\[(?:EMAIL|PHONE|CARD|IBAN)_\d{1,5}\]/g
/** The end of a text that may be half of a mark. */
const half = /\[(?:[A-Z]{0,5}|[A-Z]{4,5}_\d{0,5})$/

export class Marks {
  readonly #byText = new Map<string, string>()
  readonly #byMark = new Map<string, string>()
  readonly #taken: ReadonlySet<string>
  #last = 0

  /** @param texts of the call: what already looks like a mark there is nobody's */
  constructor(texts: Iterable<string>) {
    const taken = new Set<string>()
    for (const text of texts) for (const [found] of text.matchAll(mark)) taken.add(found)
    this.#taken = taken
  }

  get size(): number {
    return this.#byMark.size
  }

  /** The same for the same text, so that the model knows that it is one person. */
  markFor(kind: Kind, text: string): string {
    const known = this.#byText.get(text)
    if (known !== undefined) return known
    let made: string
    do made = `[${kind.toUpperCase()}_${(this.#last += 1)}]`
    while (this.#taken.has(made))
    this.#byText.set(text, made)
    this.#byMark.set(made, text)
    return made
  }

  /** Of a piece of a stream: what of it can go on, with what the marks stood for, and how many characters must come again. */
  restore(text: string, isEnd: boolean): { text: string; keep: number } {
    const keep = isEnd ? 0 : (half.exec(text.slice(-16))?.[0].length ?? 0)
    const whole = text.slice(0, text.length - keep)
    return { text: whole.replaceAll(mark, (found) => this.#byMark.get(found) ?? found), keep }
  }
}
