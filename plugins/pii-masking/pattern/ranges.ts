/** A range of UTF-16 units, both ends included. */
export type Range = readonly [number, number]

const LAST = 0xffff

const digits: readonly Range[] = [[48, 57]]
const words: readonly Range[] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
]
const blanks: readonly Range[] = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x3000, 0x3000],
]

/** The ranges of `\d`, `\w`, `\s`, their opposites, and escaped control characters. */
export function rangesOfEscape(letter: string): readonly Range[] | undefined {
  switch (letter) {
    case 'd':
      return digits
    case 'D':
      return turned(digits)
    case 'w':
      return words
    case 'W':
      return turned(words)
    case 's':
      return blanks
    case 'S':
      return turned(blanks)
    case 't':
      return [[9, 9]]
    case 'n':
      return [[10, 10]]
    case 'r':
      return [[13, 13]]
    default:
      return undefined
  }
}

/** All units outside the ranges. */
export function turned(ranges: readonly Range[]): readonly Range[] {
  const rest: Range[] = []
  let from = 0
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    if (first > from) rest.push([from, first - 1])
    from = Math.max(from, last + 1)
  }
  if (from <= LAST) rest.push([from, LAST])
  return rest
}

export function holds(ranges: readonly Range[], unit: number): boolean {
  return ranges.some(([first, last]) => unit >= first && unit <= last)
}
