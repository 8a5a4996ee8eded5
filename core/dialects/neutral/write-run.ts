// Writes many events that differ only in one text.

const MARK = '%%text%%'

/** The text of an event before and after its inner text, which contains nothing that JSON escapes; undefined if it cannot be found. */
export function aroundText(
  write: (text: string) => string,
): { before: string; after: string } | undefined {
  const sample = write(MARK)
  const at = sample.indexOf(MARK)
  // A model's name may happen to be that very marker.
  if (at < 0 || sample.includes(MARK, at + 1)) return undefined
  return { before: sample.slice(0, at), after: sample.slice(at + MARK.length) }
}

/** Writes the runs of one writer. The text around is computed once per key and must depend on nothing else, because a
 *  stream in small pieces consists of many runs. */
export class RunWriter {
  #key: string | undefined
  #around: ReturnType<typeof aroundText>
  /** The end of an event and the beginning of the next. */
  #between = ''

  write(key: string, write: (text: string) => string, texts: readonly string[]): string {
    if (texts.length === 0) return ''
    if (this.#key !== key) this.#learn(key, write)
    if (this.#around === undefined) return texts.map(write).join('')
    const { before, after } = this.#around
    let text = `${before}${texts[0]}`
    // `join` would copy what is copied again when the pieces of an answer become one text.
    for (let index = 1; index < texts.length; index += 1) text += this.#between + texts[index]
    return text + after
  }

  #learn(key: string, write: (text: string) => string): void {
    this.#key = key
    this.#around = aroundText(write)
    if (this.#around !== undefined) this.#between = this.#around.after + this.#around.before
  }
}
