// Converts formulas as models write them into the one form that the Markdown parser accepts: `$$…$$` within a line, and lines between `$$` for those
// on lines of their own. Other dollar signs stay as they are.

const fence = /^\s*(```+|~~~+)/
/** The beginning of a line of a list or quote. */
const indent = /^[\s>]*/

export function withFormulas(text: string): string {
  if (!/[$\\]/.test(text)) return text
  const lines = text.split('\n')
  const written: string[] = []
  let openFence = ''
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const mark = fence.exec(line)?.[1] ?? ''
    if (mark && openFence === '') openFence = mark
    else if (mark && mark[0] === openFence[0] && mark.length >= openFence.length) openFence = ''
    const block = mark || openFence ? undefined : standing(lines, at)
    if (block) {
      written.push(...block.lines)
      at = block.last
    } else written.push(mark || openFence ? line : withinLine(line))
  }
  return written.join('\n')
}

/** A formula on lines of its own, from `\[` or `$$` to its end; undefined if none begins here, or if it does not end. */
function standing(
  lines: readonly string[],
  at: number,
): { lines: string[]; last: number } | undefined {
  const line = lines[at] ?? ''
  const before = indent.exec(line)?.[0] ?? ''
  const open = line.slice(before.length, before.length + 2)
  const close = open === '$$' ? '$$' : open === '\\[' ? '\\]' : undefined
  if (close === undefined) return undefined
  const content: string[] = []
  for (let last = at; last < lines.length; last++) {
    const next = (last === at ? line.slice(before.length + 2) : (lines[last] ?? '')).trim()
    const end = next.indexOf(close)
    // TeX allows no empty line within a formula, and text after its end means that it is not on lines of its own.
    if ((next === '' && last > at) || (end >= 0 && end < next.length - 2)) return undefined
    content.push(end < 0 ? next : next.slice(0, end))
    if (end < 0) continue
    const formula = content.map((part) => part.trim()).filter((part) => part !== '')
    if (formula.length === 0) return undefined
    return { lines: ['$$', ...formula, '$$'].map((part) => before + part), last }
  }
  return undefined
}

/**
 * Alternatives in this order: code, escaped characters, formulas. A single dollar opens a formula if no space follows it, and closes one if
 * no space precedes and no digit follows it: `$5 and $10` is money. A formula within a line has at most two thousand characters, so that many
 * unclosed ones are still scanned in linear time.
 */
const inline =
  /(`+)[^`]+\1|\\\((.{1,2000}?)\\\)|\\\[(.{1,2000}?)\\\]|\\.|(\${2,})[^$]+\4|\$(?![\s$])((?:[^$\\`]|\\.)+?)(?<![\s\\])\$(?!\d)/g

function withinLine(line: string): string {
  return line.replace(inline, (whole, _ticks, round, square, _dollars, single) => {
    const formula: string | undefined = round ?? square ?? single
    return formula === undefined ? whole : `$$${formula.trim()}$$`
  })
}
