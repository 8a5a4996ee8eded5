import type { Span } from './span.ts'

/** Finds the innermost pairs of square brackets, up to a length. No character is read more than twice. */
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
