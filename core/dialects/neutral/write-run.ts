// Many events that differ in nothing but one text.

const MARK = '%%text%%'

/** What is written around a text, which holds nothing that JSON escapes; undefined where that cannot be told. */
export function aroundText(
  write: (text: string) => string,
): { before: string; after: string } | undefined {
  const sample = write(MARK)
  const at = sample.indexOf(MARK)
  // Somebody's own name for a model may be that very word.
  if (at < 0 || sample.includes(MARK, at + 1)) return undefined
  return { before: sample.slice(0, at), after: sample.slice(at + MARK.length) }
}

/** Runs of one writer. What it says around a text is asked once for each key, on which it must hang alone; a stream in small pieces is many runs. */
export class RunWriter {
  #key: string | undefined
  #around: ReturnType<typeof aroundText>

  write(key: string, write: (text: string) => string, texts: readonly string[]): string {
    if (texts.length === 0) return ''
    if (this.#key !== key) {
      this.#key = key
      this.#around = aroundText(write)
    }
    if (this.#around === undefined) return texts.map(write).join('')
    const { before, after } = this.#around
    return before + (texts.length === 1 ? texts[0] : texts.join(after + before)) + after
  }
}
