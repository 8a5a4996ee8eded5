// The frames in a block: one, or several laced together. Source: RFC 9559, section 10.3.

interface Bounds {
  start: number
  end: number
}

const XIPH = 1
const EVEN = 2
const EBML = 3

/** Reads from the block's flags on. Data that the lacing does not account for counts as one frame. */
export function frameBounds(data: Buffer, flagsAt: number, end: number): Bounds[] {
  const lacing = ((data[flagsAt] ?? 0) >> 1) & 3
  const start = flagsAt + 1
  if (lacing === 0 || start >= end) return [{ start, end }]
  const frames = (data[start] ?? 0) + 1
  const laces = new Laces(data, start + 1)
  const sizes: number[] = []
  for (let frame = 0; frame < frames - 1; frame += 1) {
    if (lacing === XIPH) sizes.push(laces.xiph())
    else if (lacing === EBML) sizes.push(frame === 0 ? laces.ebml() : laces.ebmlStep())
  }
  if (lacing === EVEN) {
    sizes.push(...Array.from({ length: frames - 1 }, () => Math.floor((end - start - 1) / frames)))
  }
  return boundsOf(sizes, laces.at, end)
}

function boundsOf(sizes: readonly number[], from: number, end: number): Bounds[] {
  const found: Bounds[] = []
  let at = from
  for (const size of sizes) {
    if (size < 0 || at + size > end) break
    found.push({ start: at, end: at + size })
    at += size
  }
  if (at < end) found.push({ start: at, end })
  return found
}

class Laces {
  at: number
  private readonly data: Buffer
  private last = 0

  constructor(data: Buffer, at: number) {
    this.data = data
    this.at = at
  }

  xiph(): number {
    let size = 0
    let byte = 255
    while (byte === 255) {
      byte = this.data[this.at] ?? 0
      size += byte
      this.at += 1
    }
    return size
  }

  ebml(): number {
    const bytes = Math.clz32(this.data[this.at] ?? 0) - 23
    let value = (this.data[this.at] ?? 0) & (0xff >> bytes)
    for (let next = 1; next < bytes; next += 1) {
      value = value * 256 + (this.data[this.at + next] ?? 0)
    }
    this.at += bytes
    this.last = value
    return value
  }

  /** The difference to the frame before. */
  ebmlStep(): number {
    const bytes = Math.clz32(this.data[this.at] ?? 0) - 23
    const before = this.last
    const middle = 2 ** (7 * bytes - 1) - 1
    this.last = before + this.ebml() - middle
    return this.last
  }
}
