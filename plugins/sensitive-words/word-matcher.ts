// Aho-Corasick (A. V. Aho, M. J. Corasick, CACM 18/6, 1975) over UTF-16 units: one pass over the text, whatever the length of the list.

const ROOT = 0
const NO_WORD = -1
const UNITS = 65_536

/** Replaces invisible characters, which make no difference to a model. */
const UNSEEN = 0
/** Unicode 16, Default_Ignorable_Code_Point: those of one UTF-16 unit. */
const unseen: readonly (readonly [first: number, last: number])[] = [
  [0, 0],
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
]
/** Distance from an ASCII character to its full-width form. */
const WIDE = 0xfee0

/** The folded form of each unit. A table, because Unicode normalization needs far more than one pass over a hostile text. */
const plainUnits = Uint16Array.from({ length: UNITS }, (_, unit) =>
  unit > 0xff00 && unit < 0xff5f ? unit - WIDE : unit === 0x3000 ? 0x20 : unit,
)
for (const [first, last] of unseen) plainUnits.fill(UNSEEN, first, last + 1)

function plain(text: string): string {
  const folded = text.toLowerCase()
  let shown = ''
  for (let at = 0; at < folded.length; at += 1) {
    const unit = plainUnits[folded.charCodeAt(at)] as number
    if (unit !== UNSEEN) shown += String.fromCharCode(unit)
  }
  return shown
}

/** Finds the first listed word in a text. Ignores letter case, full-width forms and invisible characters between letters. Blank words are ignored.
 *  Immutable once built. */
export class WordMatcher {
  readonly #words: readonly string[]
  readonly #trie: Trie
  /** Failure links: the longest proper suffix that is a state, too. */
  readonly #failure: Int32Array
  /** Index of a word that ends in the state, its own or that of a suffix. */
  readonly #wordAt: Int32Array

  constructor(words: readonly string[]) {
    const folded = words.map((word) => plain(word).trim())
    this.#words = [...new Set(folded)].filter((word) => word !== '')
    this.#trie = new Trie(this.#words)
    const { failure, wordAt } = linkSuffixes(this.#trie)
    this.#failure = failure
    this.#wordAt = wordAt
  }

  get isEmpty(): boolean {
    return this.#words.length === 0
  }

  find(text: string): string | undefined {
    const folded = text.toLowerCase()
    const trie = this.#trie
    const { fromRoot } = trie
    let state = ROOT
    for (let at = 0; at < folded.length; at += 1) {
      const unit = plainUnits[folded.charCodeAt(at)] as number
      if (unit === UNSEEN) continue
      if (state !== ROOT) state = this.#next(state, unit)
      else state = fromRoot[unit] as number
      if (state !== ROOT && this.#wordAt[state] !== NO_WORD)
        return this.#words[this.#wordAt[state] as number]
    }
    return undefined
  }

  #next(from: number, unit: number): number {
    let state = from
    while (state !== ROOT) {
      const next = this.#trie.child(state, unit)
      if (next !== ROOT) return next
      state = this.#failure[state] as number
    }
    return this.#trie.fromRoot[unit] as number
  }
}

/** The words as a trie. The root's edges are a plain table, because most text never leaves the root; all others share one hash table. */
class Trie {
  readonly fromRoot = new Int32Array(UNITS)
  readonly wordAt: Int32Array
  readonly parent: Int32Array
  readonly unit: Uint16Array
  readonly #slots: Int32Array
  readonly #mask: number
  /** States so far, the root included. */
  size = 1

  constructor(words: readonly string[]) {
    const most = words.reduce((sum, word) => sum + word.length, 1)
    this.wordAt = new Int32Array(most).fill(NO_WORD)
    this.parent = new Int32Array(most)
    this.unit = new Uint16Array(most)
    const slots = 2 ** Math.ceil(Math.log2(most * 2))
    this.#slots = new Int32Array(slots)
    this.#mask = slots - 1
    words.forEach((word, index) => this.#add(word, index))
  }

  /** The root if there is no such edge. */
  child(state: number, unit: number): number {
    for (let slot = this.#slotOf(state, unit); ; slot = (slot + 1) & this.#mask) {
      const child = this.#slots[slot] as number
      if (child === ROOT || (this.parent[child] === state && this.unit[child] === unit))
        return child
    }
  }

  #add(word: string, index: number): void {
    let state = ROOT
    for (let at = 0; at < word.length; at += 1) {
      const unit = word.charCodeAt(at)
      const next = state === ROOT ? (this.fromRoot[unit] as number) : this.child(state, unit)
      state = next === ROOT ? this.#grow(state, unit) : next
    }
    this.wordAt[state] = index
  }

  #grow(parent: number, unit: number): number {
    const state = this.size
    this.size += 1
    this.parent[state] = parent
    this.unit[state] = unit
    if (parent === ROOT) {
      this.fromRoot[unit] = state
      return state
    }
    let slot = this.#slotOf(parent, unit)
    while (this.#slots[slot] !== ROOT) slot = (slot + 1) & this.#mask
    this.#slots[slot] = state
    return state
  }

  #slotOf(state: number, unit: number): number {
    const mixed = Math.imul(state, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)
    return (mixed ^ (mixed >>> 15)) & this.#mask
  }
}

/** Breadth first, so that the suffixes of a state, which are shorter, are linked before it. */
function linkSuffixes(trie: Trie): { failure: Int32Array; wordAt: Int32Array } {
  const failure = new Int32Array(trie.size)
  const wordAt = trie.wordAt.slice(0, trie.size)
  for (const state of breadthFirst(trie)) {
    const parent = trie.parent[state] as number
    if (parent === ROOT) continue
    const unit = trie.unit[state] as number
    let suffix = failure[parent] as number
    while (suffix !== ROOT && trie.child(suffix, unit) === ROOT) suffix = failure[suffix] as number
    const link = suffix === ROOT ? trie.fromRoot[unit] : trie.child(suffix, unit)
    failure[state] = link as number
    if (wordAt[state] === NO_WORD) wordAt[state] = wordAt[link as number] as number
  }
  return { failure, wordAt }
}

/** All states but the root by depth: a state is numbered after its parent, so depths are known in one pass and sorted by counting. */
function breadthFirst(trie: Trie): Int32Array {
  const depth = new Int32Array(trie.size)
  let deepest = 0
  for (let state = 1; state < trie.size; state += 1) {
    depth[state] = (depth[trie.parent[state] as number] as number) + 1
    deepest = Math.max(deepest, depth[state] as number)
  }
  const starts = new Int32Array(deepest + 2)
  for (let state = 1; state < trie.size; state += 1)
    starts[(depth[state] as number) + 1] = (starts[(depth[state] as number) + 1] as number) + 1
  for (let level = 1; level < starts.length; level += 1)
    starts[level] = (starts[level] as number) + (starts[level - 1] as number)
  const order = new Int32Array(trie.size - 1)
  for (let state = 1; state < trie.size; state += 1) {
    const level = depth[state] as number
    order[starts[level] as number] = state
    starts[level] = (starts[level] as number) + 1
  }
  return order
}
