const fence = /^ {0,3}(```+|~~~+)/
const continues = /^(?:\s|[-*+] |\d{1,9}[.)] |>|\|)/

/**
 * Splits Markdown into independent blocks. While an answer is streaming, only its last block changes, so only that one is
 * rendered again.
 */
export function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let lines: string[] = []
  let openFence = ''
  let isAfterBlank = false
  for (const line of text.split('\n')) {
    const mark = fence.exec(line)?.[1] ?? ''
    const startsNew = isAfterBlank && openFence === '' && !continues.test(line) && line !== ''
    if (startsNew) {
      blocks.push(lines.join('\n'))
      lines = []
    }
    if (mark && openFence === '') openFence = mark
    else if (mark && mark[0] === openFence[0] && mark.length >= openFence.length) openFence = ''
    lines.push(line)
    isAfterBlank = line.trim() === ''
  }
  if (lines.some((line) => line.trim() !== '')) blocks.push(lines.join('\n'))
  return blocks
}
