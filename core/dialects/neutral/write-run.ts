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

/** `write` of each of the texts. It is asked once: what it says around a text must hang on nothing else. */
export function writeRun(write: (text: string) => string, texts: readonly string[]): string {
  if (texts.length === 0) return ''
  const around = aroundText(write)
  if (around === undefined) return texts.map(write).join('')
  const { before, after } = around
  return before + texts.join(after + before) + after
}
