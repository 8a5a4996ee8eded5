// `regex_replace` of a channel's `param_override`.
import type { Matcher, RE2JS } from 're2js'

/** `$1`, `${1}`, `${name}` and `$$`, as in Go's package regexp (pkg.go.dev/regexp, Regexp.Expand). */
const reference = /\$(?:\$|(\w+)|\{(\w+)\})/g

/** The text with each match replaced; the same where that would be longer than `longest`. */
export function replaceMatches(
  text: string,
  pattern: RE2JS,
  template: string,
  longest: number,
): string {
  const matcher = pattern.matcher(text)
  const pieces: string[] = []
  let [end, length] = [0, 0]
  while (matcher.find()) {
    // Nothing, right behind a match, is no match of its own.
    if (pieces.length > 0 && matcher.end() === end) continue
    const piece = text.slice(end, matcher.start()) + expanded(template, matcher)
    length += piece.length
    if (length > longest) return text
    pieces.push(piece)
    end = matcher.end()
  }
  pieces.push(text.slice(end))
  return pieces.join('')
}

function expanded(template: string, matcher: Matcher): string {
  if (!template.includes('$')) return template
  return template.replaceAll(reference, (whole, bare?: string, braced?: string) => {
    const name = bare ?? braced
    if (name === undefined) return whole.slice(1)
    return groupOf(matcher, name) ?? ''
  })
}

function groupOf(matcher: Matcher, name: string): string | null | undefined {
  const number = /^\d{1,4}$/.test(name) ? Number(name) : undefined
  if (number === undefined) return new Map(Object.entries(matcher.getNamedGroups())).get(name)
  return number <= matcher.groupCount() ? matcher.group(number) : undefined
}
