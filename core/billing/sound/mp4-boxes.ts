// The boxes of an MP4, M4A, MOV or 3GP file. Source: ISO/IEC 14496-12, section 4.2.

export interface Box {
  type: string
  /** Where the box begins and where its content begins. */
  at: number
  start: number
  end: number
}

const HEAD_BYTES = 8
const LONG_HEAD_BYTES = 16

/** The boxes between `start` and `end`. A box that is cut off, or longer than the one around it, ends there. */
export function boxesIn(data: Buffer, start: number, end: number): Box[] {
  const found: Box[] = []
  let at = start
  while (at + HEAD_BYTES <= end) {
    let size = data.readUInt32BE(at)
    let head = HEAD_BYTES
    if (size === 1 && at + LONG_HEAD_BYTES <= end) {
      size = data.readUInt32BE(at + 8) * 2 ** 32 + data.readUInt32BE(at + 12)
      head = LONG_HEAD_BYTES
    }
    if (size === 0) size = end - at
    if (size < head) break
    const type = data.toString('latin1', at + 4, at + 8)
    found.push({ type, at, start: at + head, end: Math.min(end, at + size) })
    at += size
  }
  return found
}

export function boxesOf(data: Buffer, box: Box, ...path: string[]): Box[] {
  let found = [box]
  for (const type of path) {
    found = found
      .flatMap(({ start, end }) => boxesIn(data, start, end))
      .filter((one) => one.type === type)
  }
  return found
}

/** A number of four bytes in a box's content; 0 past its end. */
export function numberAt(data: Buffer, box: Box, place: number): number {
  const at = box.start + place
  return place >= 0 && at + 4 <= box.end ? data.readUInt32BE(at) : 0
}
