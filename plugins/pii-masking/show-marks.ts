import type { TextChange } from '#core'
import { bracketed } from './find/bracketed.ts'

/** Replaces marks by the texts that they hide. Of each piece of a stream, only what may be the beginning of a mark
 *  is held back. */
export function showMarks(hidden: ReadonlyMap<string, string>): TextChange {
  const sorted = [...hidden.keys()].sort()
  const longest = Math.max(0, ...sorted.map((mark) => mark.length))
  return (text, isEnd) => {
    const keep = isEnd ? 0 : beginningOfMark(text, sorted, longest)
    return { text: shown(keep === 0 ? text : text.slice(0, -keep), hidden, longest), keep }
  }
}

function shown(text: string, hidden: ReadonlyMap<string, string>, longest: number): string {
  let result = ''
  let from = 0
  for (const { start, end } of bracketed(text, longest)) {
    const value = hidden.get(text.slice(start, end))
    if (value === undefined) continue
    result += text.slice(from, start) + value
    from = end
  }
  return from === 0 ? text : result + text.slice(from)
}

/** How many characters at the end may be the beginning of a mark. */
function beginningOfMark(text: string, sorted: readonly string[], longest: number): number {
  const at = text.lastIndexOf('[')
  if (at < 0 || text.length - at >= longest) return 0
  const end = text.slice(at)
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < end) low = middle + 1
    else high = middle
  }
  return sorted[low]?.startsWith(end) ? end.length : 0
}
