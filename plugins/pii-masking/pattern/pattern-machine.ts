// Compiles a pattern to an automaton whose states are all followed at once (K. Thompson, CACM 11/6, 1968), so no text
// causes backtracking.
import type { Span } from '../find/span.ts'
import { type Node, parsePattern } from './parse-pattern.ts'
import { PatternFault } from './pattern-fault.ts'
import { holds, type Range } from './ranges.ts'

const LONGEST_PATTERN = 200
const MOST_STATES = 400
/** The most steps that one character of a text may take. */
const MOST_STEPS = 1_000

/** A state that reads one character and continues, or, without ranges, continues without reading. */
interface State {
  ranges: readonly Range[] | undefined
  next: number[]
}

/** Finds every part of a text that some match of the pattern covers. Overlapping matches are merged. */
export class PatternMachine {
  readonly #states: readonly State[]
  readonly #end: number
  /** For each state that reads, the states that read next, or the end. */
  readonly #after: readonly (readonly number[])[]
  readonly #first: readonly number[]

  /** @throws PatternFault */
  constructor(source: string) {
    if (source.length > LONGEST_PATTERN) throw new PatternFault('large')
    const builder = new Builder()
    const start = builder.state()
    this.#end = builder.add(parsePattern(source), start)
    this.#states = builder.states
    this.#first = this.#readers(start)
    if (this.#first.includes(this.#end)) throw new PatternFault('empty')
    this.#after = this.#states.map(({ ranges, next }) =>
      ranges && next[0] !== undefined ? this.#readers(next[0]) : [],
    )
    if (this.#after.flat().length > MOST_STEPS) throw new PatternFault('large')
  }

  /** Reads the text once. Each active state keeps the earliest position at which a match that has reached it began. */
  find(text: string): Span[] {
    const found: Span[] = []
    let active: number[] = []
    let next: number[] = []
    let starts = new Int32Array(this.#states.length).fill(-1)
    let later = new Int32Array(this.#states.length).fill(-1)
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      for (const state of this.#first)
        if (starts[state] === -1) starts[active[active.push(state) - 1] ?? 0] = at
      for (const state of active) {
        const start = starts[state] ?? at
        starts[state] = -1
        if (!this.#reads(state, unit)) continue
        for (const follower of this.#after[state] ?? []) {
          const known = later[follower] ?? -1
          if (follower === this.#end) cover(found, start, at + 1)
          else if (known === -1) later[next[next.push(follower) - 1] ?? 0] = start
          else if (start < known) later[follower] = start
        }
      }
      active.length = 0
      ;[active, next] = [next, active]
      ;[starts, later] = [later, starts]
    }
    return found
  }

  #reads(state: number, unit: number): boolean {
    const ranges = this.#states[state]?.ranges
    return ranges !== undefined && holds(ranges, unit)
  }

  /** The states that read, and the end, if they can be reached without reading. */
  #readers(from: number): number[] {
    const seen = new Set([from])
    for (const state of seen) {
      const { ranges, next } = this.#states[state] ?? { ranges: undefined, next: [] }
      if (!ranges) for (const follower of next) seen.add(follower)
    }
    return [...seen].filter((state) => state === this.#end || this.#states[state]?.ranges)
  }
}

/** Adds a match. Matches are added in order of their ends, and overlapping ones are merged. */
function cover(found: Span[], from: number, end: number): void {
  let start = from
  for (let last = found.at(-1); last && last.end > start; last = found.at(-1)) {
    start = Math.min(start, last.start)
    found.pop()
  }
  found.push({ start, end })
}

class Builder {
  readonly states: State[] = []

  /** @throws PatternFault */
  state(ranges?: readonly Range[]): number {
    if (this.states.length >= MOST_STATES) throw new PatternFault('large')
    this.states.push({ ranges, next: [] })
    return this.states.length - 1
  }

  /** Appends a part of the pattern to a state.
   *  @returns the state after the part */
  add(node: Node, from: number): number {
    switch (node.kind) {
      case 'sign': {
        const reader = this.state(node.ranges)
        this.#join(from, reader)
        const end = this.state()
        this.#join(reader, end)
        return end
      }
      case 'all':
        return node.parts.reduce((at, part) => this.add(part, at), from)
      case 'either': {
        const ends = node.choices.map((choice) => {
          const begin = this.state()
          this.#join(from, begin)
          return this.add(choice, begin)
        })
        const end = this.state()
        for (const one of ends) this.#join(one, end)
        return end
      }
      case 'repeat':
        return this.#repeat(node, from)
    }
  }

  #repeat({ of, least, most }: Extract<Node, { kind: 'repeat' }>, from: number): number {
    let at = from
    for (let count = 0; count < least; count += 1) at = this.add(of, at)
    const end = this.state()
    if (most === Number.POSITIVE_INFINITY) {
      const begin = this.state()
      this.#join(at, begin)
      this.#join(this.add(of, begin), begin)
      this.#join(begin, end)
      return end
    }
    for (let count = least; count < most; count += 1) {
      this.#join(at, end)
      at = this.add(of, at)
    }
    this.#join(at, end)
    return end
  }

  #join(from: number, to: number): void {
    this.states[from]?.next.push(to)
  }
}
