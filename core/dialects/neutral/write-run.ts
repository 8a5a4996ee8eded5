// Many events that differ in nothing but one text.

const MARK = '%%text%%'

/** `write` of each of the texts. It is asked once: what it says around a text must hang on nothing else, and texts hold nothing that JSON escapes. */
export function writeRun(write: (text: string) => string, texts: readonly string[]): string {
  const sample = write(MARK)
  const at = sample.indexOf(MARK)
  // Somebody's own name for a model may be that very word.
  if (at < 0 || sample.includes(MARK, at + 1)) return texts.map(write).join('')
  const before = sample.slice(0, at)
  const after = sample.slice(at + MARK.length)
  return texts.length === 0 ? '' : before + texts.join(after + before) + after
}
