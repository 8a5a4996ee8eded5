/**
 * How well `text` matches `search`: lower is better, undefined means no match. The words of the search may be anywhere in it;
 * a word also matches if the text has its letters in the same order (`g4m` finds `gpt-4o-mini`).
 */
export function fuzzyRank(text: string, search: string): number | undefined {
  const whole = text.toLowerCase()
  let rank = 0
  for (const word of search.toLowerCase().split(/\s+/).filter(Boolean)) {
    const found = rankOf(whole, word)
    if (found === undefined) return undefined
    rank += found
  }
  return rank
}

const scattered = 1000

function rankOf(text: string, word: string): number | undefined {
  const at = text.indexOf(word)
  if (at >= 0) return at
  let from = 0
  let gaps = 0
  for (const letter of word) {
    const next = text.indexOf(letter, from)
    if (next < 0) return undefined
    gaps += next - from
    from = next + 1
  }
  return scattered + gaps
}
