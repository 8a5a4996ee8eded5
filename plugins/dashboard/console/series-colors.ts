// Chooses the colour of each model. There are only twelve colours, too few to derive one from the name alone, so the
// colour that a model was given is remembered.
import { readStoredJson, writeStored } from '#console'

const storageKey = 'series-colors'
const colorCount = 12
const mostKept = 500

/** Colours from 1 to 12 for the models of one chart, the same as the last time. */
export function keptColors(models: readonly string[]): Map<string, number> {
  const known = readKnown()
  const before = known.size
  const colors = assignColors(models, known)
  if (known.size > before) {
    writeStored(storageKey, JSON.stringify(Object.fromEntries([...known].slice(-mostKept))))
  }
  return colors
}

function readKnown(): Map<string, number> {
  const stored = Object.entries(readStoredJson<Record<string, unknown> | null>(storageKey) ?? {})
  return new Map(stored.filter((entry): entry is [string, number] => isColor(entry[1])))
}

function isColor(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= colorCount
}

/** A model keeps its colour. Where two models of one chart have the same one, the smaller model gets a free colour
 *  for this chart only. A new model gets one of the colours that the fewest models have, and is added to `known`. */
export function assignColors(
  models: readonly string[],
  known: Map<string, number>,
): Map<string, number> {
  const colors = new Map<string, number>()
  const taken = new Set<number>()
  const give = (model: string, color: number) => {
    colors.set(model, color)
    taken.add(color)
  }
  for (const model of models) {
    const own = known.get(model)
    if (own !== undefined && !taken.has(own)) give(model, own)
  }
  for (const model of models) {
    if (colors.has(model)) continue
    const color = freeColor(model, taken, known)
    give(model, color)
    if (!known.has(model)) known.set(model, color)
  }
  return colors
}

/** The colour that the fewest models have; the name decides between equals. */
function freeColor(model: string, taken: ReadonlySet<number>, known: Map<string, number>): number {
  const uses = Array.from({ length: colorCount + 1 }, () => 0)
  for (const color of known.values()) uses[color] = (uses[color] ?? 0) + 1
  const start = hashOf(model)
  const all = Array.from({ length: colorCount }, (_, at) => ((start + at) % colorCount) + 1)
  const free = all.filter((color) => !taken.has(color))
  return free.reduce(
    (best, color) => ((uses[color] ?? 0) < (uses[best] ?? 0) ? color : best),
    free[0] ?? 1,
  )
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const sign of text) {
    hash ^= sign.codePointAt(0) ?? 0
    hash = Math.imul(hash, 0x01000193)
  }
  return hash >>> 0
}
