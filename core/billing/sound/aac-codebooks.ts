// The tables of aac-tables.ts, prepared for look-ups.

import { BANDS, SCALE_FACTORS, SPECTRA } from './aac-tables.ts'
import type { Bits } from './bits.ts'

export interface Codebook {
  /** The length of the longest codeword. */
  bits: number
  /** For the next bits of the stream: how many bits the codeword and its signs take, plus 32 for each escape that follows. */
  steps: Uint8Array
}

const TAKEN = 31
const SIGNS_WITH_ESCAPES: ReadonlyMap<string, readonly [signs: number, escapes: number]> = new Map([
  ['a', [1, 1]],
  ['b', [2, 1]],
  ['c', [2, 2]],
])
const MOST_ESCAPE_PREFIX = 8

function codebook(rows: string): Codebook {
  const lengths = rows.split('/')
  const bits = lengths.length
  const steps = new Uint8Array(1 << bits)
  let at = 0
  for (const [index, marks] of lengths.entries()) {
    const length = index + 1
    const width = 1 << (bits - length)
    for (const mark of marks) {
      const [signs, escapes] = SIGNS_WITH_ESCAPES.get(mark) ?? [Number(mark), 0]
      steps.fill((escapes << 5) | (length + signs), at, at + width)
      at += width
    }
  }
  return { bits, steps }
}

export const scaleFactors = codebook(SCALE_FACTORS)
/** By number; there is no book 0. */
export const spectra: readonly (Codebook | undefined)[] = [undefined, ...SPECTRA.map(codebook)]

/** Skips this many codewords with their signs and escapes, or to the end. */
export function skipCodewords(reader: Bits, { bits, steps }: Codebook, count: number): void {
  for (let left = count; left > 0 && !reader.isPast; left -= 1) {
    const step = steps[reader.peek(bits)] ?? 0
    reader.skip(step & TAKEN)
    for (let escapes = step >> 5; escapes > 0; escapes -= 1) skipEscape(reader)
  }
}

/** A number of ones, a zero, and four bits more than there were ones. */
function skipEscape(reader: Bits): void {
  let ones = 0
  while (reader.read(1) === 1) ones += 1
  if (ones > MOST_ESCAPE_PREFIX) reader.fail()
  reader.skip(ones + 4)
}

/** Where the scale factor bands of a window begin, and where the last one ends. */
export interface Bands {
  long: readonly number[]
  short: readonly number[]
}

const LONG = 1024
/** The number of short windows. */
const WINDOWS = 8
const bandsByFrame = new Map([LONG, 960].map((samples) => [samples, BANDS.map(ofFrame(samples))]))

function ofFrame(samples: number) {
  return ({ from, long, short }: (typeof BANDS)[number]) => ({
    from,
    long: offsets(long, samples),
    short: offsets(short, samples / WINDOWS),
  })
}

/** A shorter frame ends within the bands of the long one. */
function offsets(widths: string, end: number): number[] {
  const found = [0]
  for (const run of widths.split(' ')) {
    const [width, count] = run.split('x')
    for (let left = Number(count ?? 1); left > 0; left -= 1) {
      const next = (found.at(-1) ?? 0) + Number(width)
      if (next < end) found.push(next)
    }
  }
  return [...found, end]
}

/** Undefined for frames of another length than 1 024 and 960 samples. */
export function bandsOf(samplesPerSecond: number, samples: number): Bands | undefined {
  return bandsByFrame.get(samples)?.find(({ from }) => samplesPerSecond >= from)
}
