/** The makers of models, with the beginnings of their models' names in lower case. */
export interface Maker {
  name: string
  mark?: string
  models: readonly string[]
}

/** The maker of a model: the one with the longest matching beginning. Hosts put their own words before the name
 *  (`us.anthropic.claude-…`, `@cf/meta/llama-…`), so the last part of the name that matches decides. */
export function findMaker(makers: readonly Maker[], model: string): Maker | undefined {
  const pieces = model.toLowerCase().split(/[/.:@]/)
  for (const piece of pieces.reverse()) {
    const found = byBeginning(makers, piece)
    if (found) return found
  }
  return undefined
}

function byBeginning(makers: readonly Maker[], text: string): Maker | undefined {
  let best: { maker: Maker; length: number } | undefined
  for (const maker of makers) {
    for (const start of maker.models) {
      if (start.length > (best?.length ?? 0) && text.startsWith(start)) {
        best = { maker, length: start.length }
      }
    }
  }
  return best?.maker
}
