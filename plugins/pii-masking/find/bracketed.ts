import type { Span } from './span.ts'

/** Pieces in square brackets without others inside, up to a length: no character is looked at more than twice. */
export function* bracketed(text: string, longest: number): Generator<Span> {
  for (let start = text.indexOf('['); start >= 0; start = text.indexOf('[', start + 1)) {
    for (let at = start + 1; at < text.length && at - start < longest; at += 1) {
      if (text[at] === '[') break
      if (text[at] !== ']') continue
      yield { start, end: at + 1 }
      break
    }
  }
}
