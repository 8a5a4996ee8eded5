// Parses the operator's own patterns: regular expressions without the parts that cannot be matched in one pass (back
// references, lookaheads, lookbehinds, anchors).
import { PatternFault } from './pattern-fault.ts'
import { rangesOfEscape, type Range, turned } from './ranges.ts'

/** The parts of a pattern. */
export type Node =
  | { kind: 'sign'; ranges: readonly Range[] }
  | { kind: 'all'; parts: readonly Node[] }
  | { kind: 'either'; choices: readonly Node[] }
  | { kind: 'repeat'; of: Node; least: number; most: number }

/** The largest count in a repetition. */
const MOST_REPEATS = 64
const DEEPEST = 16

/** @throws PatternFault */
export function parsePattern(source: string): Node {
  const reader = new Reader(source)
  const node = reader.either(0)
  if (!reader.isAtEnd) throw new PatternFault('bracket')
  return node
}

class Reader {
  readonly #signs: readonly string[]
  #at = 0

  constructor(source: string) {
    // Characters are UTF-16 units, as in the texts.
    this.#signs = source.split('')
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#signs.length
  }

  either(depth: number): Node {
    if (depth > DEEPEST) throw new PatternFault('deep')
    const choices = [this.#all(depth)]
    while (this.#take('|')) choices.push(this.#all(depth))
    return choices.length === 1 && choices[0] ? choices[0] : { kind: 'either', choices }
  }

  #all(depth: number): Node {
    const parts: Node[] = []
    while (!this.isAtEnd && this.#next !== '|' && this.#next !== ')')
      parts.push(this.#repeated(this.#one(depth)))
    return { kind: 'all', parts }
  }

  #one(depth: number): Node {
    const sign = this.#read()
    if (sign === '(') return this.#group(depth)
    if (sign === '[') return { kind: 'sign', ranges: this.#class() }
    if (sign === '.')
      return {
        kind: 'sign',
        ranges: turned([
          [10, 10],
          [13, 13],
        ]),
      }
    if (sign === '\\') return { kind: 'sign', ranges: this.#escape() }
    if (sign === '^' || sign === '$') throw new PatternFault('anchor')
    if (sign === '*' || sign === '+' || sign === '?' || sign === '{')
      throw new PatternFault('repeat')
    return { kind: 'sign', ranges: [unitOf(sign)] }
  }

  #group(depth: number): Node {
    if (this.#take('?') && !this.#take(':')) throw new PatternFault('look')
    const inner = this.either(depth + 1)
    if (!this.#take(')')) throw new PatternFault('bracket')
    return inner
  }

  #repeated(of: Node): Node {
    const bounds = this.#bounds()
    if (!bounds) return of
    const [least, most] = bounds
    // The lazy `?` is ignored: a mark should always hide the longest match.
    if (this.#take('?') || this.#take('+')) throw new PatternFault('lazy')
    if (this.#next !== undefined && '*+?{'.includes(this.#next)) throw new PatternFault('repeat')
    return { kind: 'repeat', of, least, most }
  }

  #bounds(): readonly [number, number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.#take('?')) return [0, 1]
    if (!this.#take('{')) return undefined
    const least = this.#number()
    const isOpen = this.#take(',')
    const most = isOpen ? this.#number() : least
    if (least === undefined || !this.#take('}')) throw new PatternFault('repeat')
    const last = isOpen && most === undefined ? Number.POSITIVE_INFINITY : Number(most)
    if (least > MOST_REPEATS || (Number.isFinite(last) && last > MOST_REPEATS) || last < least)
      throw new PatternFault('count')
    return [least, last]
  }

  #number(): number | undefined {
    let digits = ''
    while (this.#next !== undefined && this.#next >= '0' && this.#next <= '9' && digits.length < 4)
      digits += this.#read()
    return digits === '' ? undefined : Number(digits)
  }

  #class(): readonly Range[] {
    const isTurned = this.#take('^')
    const ranges: Range[] = []
    while (this.#next !== ']') {
      const first = this.#inClass()
      const isRange = this.#next === '-' && this.#signs[this.#at + 1] !== ']'
      if (!isRange) {
        ranges.push(...first)
        continue
      }
      this.#read()
      const last = this.#inClass()
      const [from, to] = [first[0]?.[0], last[0]?.[1]]
      if (
        first.length !== 1 ||
        last.length !== 1 ||
        from === undefined ||
        to === undefined ||
        to < from
      )
        throw new PatternFault('class')
      ranges.push([from, to])
    }
    this.#read()
    if (ranges.length === 0) throw new PatternFault('class')
    return isTurned ? turned(ranges) : ranges
  }

  #inClass(): readonly Range[] {
    const sign = this.#read()
    return sign === '\\' ? this.#escape() : [unitOf(sign)]
  }

  #escape(): readonly Range[] {
    const sign = this.#read()
    const known = rangesOfEscape(sign)
    if (known) return known
    // `\1`, `\b`, `\p` and the like have a meaning that is not supported here.
    if (/^[0-9A-Za-z]$/.test(sign)) throw new PatternFault('escape')
    return [unitOf(sign)]
  }

  get #next(): string | undefined {
    return this.#signs[this.#at]
  }

  #take(sign: string): boolean {
    if (this.#next !== sign) return false
    this.#at += 1
    return true
  }

  /** Reads the next character.
   *  @throws PatternFault at the end */
  #read(): string {
    const sign = this.#next
    if (sign === undefined) throw new PatternFault('bracket')
    this.#at += 1
    return sign
  }
}

function unitOf(sign: string): Range {
  const unit = sign.charCodeAt(0)
  return [unit, unit]
}
