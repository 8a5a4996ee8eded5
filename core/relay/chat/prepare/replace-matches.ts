// `regex_replace` of a channel's `param_override`.
import type { Matcher, RE2JS } from 're2js'

/** CPU time, in milliseconds, that all replacements of one call may take. */
const MOST_MS = 250

/** Counts the time of one call's replacements. A single search takes linear time, but each of many may read on to the end of the text before it knows
 *  where its match ends. Time of the CPU, because where other programs keep the machine busy no text may stay as it is for that. */
export class MatchingTime {
  readonly #began = process.threadCpuUsage()
  #lookAtMs = performance.now() + MOST_MS

  get isOver(): boolean {
    const nowMs = performance.now()
    if (nowMs < this.#lookAtMs) return false
    const { user, system } = process.threadCpuUsage(this.#began)
    const leftMs = MOST_MS - (user + system) / 1000
    this.#lookAtMs = nowMs + leftMs
    return leftMs <= 0
  }
}

export interface MatchLimits {
  time: MatchingTime
  /** In characters, of what is made. */
  longest: number
}

/** The text with each match replaced; the same where that would take too much. */
export function replaceMatches(
  text: string,
  pattern: RE2JS,
  template: string,
  { time, longest }: MatchLimits,
): string {
  const matcher = pattern.matcher(text)
  const parts = partsOf(template, pattern)
  const pieces: string[] = []
  let [end, length] = [0, 0]
  while (matcher.find()) {
    if (time.isOver) return text
    // Nothing, right behind a match, is no match of its own.
    if (pieces.length > 0 && matcher.end() === end) continue
    const piece = text.slice(end, matcher.start()) + filled(parts, matcher)
    length += piece.length
    if (length > longest) return text
    pieces.push(piece)
    end = matcher.end()
  }
  pieces.push(text.slice(end))
  return pieces.join('')
}

/** `$1`, `${1}`, `${name}` and `$$`, as in Go's package regexp (pkg.go.dev/regexp, Regexp.Expand). */
const reference = /\$(?:\$|(\w+)|\{(\w+)\})/g

/** What a template consists of: texts, and numbers of groups. A group that the pattern does not have is nothing. */
function partsOf(template: string, pattern: RE2JS): (string | number)[] {
  const parts: (string | number | undefined)[] = []
  let end = 0
  for (const found of template.matchAll(reference)) {
    const name = found[1] ?? found[2]
    parts.push(template.slice(end, found.index), name === undefined ? '$' : groupOf(pattern, name))
    end = found.index + found[0].length
  }
  parts.push(template.slice(end))
  return parts.filter((part) => part !== undefined).filter((part) => part !== '')
}

function groupOf(pattern: RE2JS, name: string): number | undefined {
  if (!/^\d{1,4}$/.test(name)) return new Map(Object.entries(pattern.namedGroups())).get(name)
  return Number(name) <= pattern.groupCount() ? Number(name) : undefined
}

function filled(parts: readonly (string | number)[], matcher: Matcher): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : (matcher.group(part) ?? '')))
    .join('')
}
