// The length of an MP4, M4A, MOV or 3GP file by the samples of its sound, because the times in its headers can be
// forged. Source: ISO/IEC 14496-12.

import type { Counted } from './audio-bounds.ts'
import { type Box, boxesIn, boxesOf, numberAt } from './mp4-boxes.ts'
import { readersOf } from './mp4-codecs.ts'
import { samplesInFragment, samplesInTables } from './mp4-samples.ts'

const firstBoxes: ReadonlySet<string> = new Set(
  'ftyp styp moov moof mdat free skip wide pnot sidx'.split(' '),
)

/** Undefined if the bytes are no such file, or if nothing in it can be read. */
export function mp4Seconds(data: Buffer): Counted | undefined {
  if (!firstBoxes.has(data.toString('latin1', 4, 8))) return undefined
  const boxes = boxesIn(data, 0, data.length)
  const fragments = boxes.filter(({ type }) => type === 'moof')
  let found: Counted | undefined
  for (const head of boxes) {
    if (head.type !== 'moov') continue
    for (const track of boxesOf(data, head, 'trak')) {
      if (!isSound(data, track)) continue
      const counted = trackSeconds(data, head, track, fragments)
      // The track that cannot be read may be the one that is played.
      if (counted === undefined) return undefined
      found = {
        counted: Math.max(found?.counted ?? 0, counted),
        said: Math.max(found?.said ?? 0, saidBy(data, head, track)),
      }
    }
  }
  return found
}

function isSound(data: Buffer, track: Box): boolean {
  const handlers = boxesOf(data, track, 'mdia', 'hdlr')
  return handlers.some(({ start }) => data.toString('latin1', start + 8, start + 12) === 'soun')
}

function trackSeconds(
  data: Buffer,
  head: Box,
  track: Box,
  fragments: readonly Box[],
): number | undefined {
  const [table, ...moreTables] = boxesOf(data, track, 'mdia', 'minf', 'stbl')
  const [descriptions, ...moreDescriptions] = table ? boxesOf(data, table, 'stsd') : []
  if (!table || !descriptions || moreTables.length + moreDescriptions.length > 0) return undefined
  const number = trackNumber(data, track)
  const sums = readersOf(data, descriptions).map((reader) => ({ reader, seconds: 0 }))
  let visited = 0
  const visit = (start: number, end: number) => {
    visited += Math.max(0, end - start)
    if (start < 0 || end <= start || end > data.length || visited > data.length) return
    for (const sum of sums) sum.seconds += sum.reader(data, start, end)
  }
  const extension = boxesOf(data, head, 'mvex', 'trex').find(
    (box) => numberAt(data, box, 4) === number,
  )
  const usualSize = extension ? numberAt(data, extension, 16) : 0
  if (!samplesInTables(data, table, visit)) return undefined
  for (const fragment of fragments) samplesInFragment(data, fragment, number, usualSize, visit)
  // Real recordings have no overlapping samples.
  if (visited > data.length && sums.length > 0) return undefined
  return Math.max(0, ...sums.map(({ seconds }) => seconds))
}

function trackNumber(data: Buffer, track: Box): number {
  const [head] = boxesOf(data, track, 'tkhd')
  return head ? numberAt(data, head, data[head.start] === 1 ? 20 : 12) : 0
}

/** The length of a track without the parts that its edits leave out, in the units of the whole file. */
function saidBy(data: Buffer, head: Box, track: Box): number {
  const [whole] = boxesOf(data, head, 'mvhd')
  const [own] = boxesOf(data, track, 'tkhd')
  if (!whole || !own) return 0
  const unitsPerSecond = numberAt(data, whole, data[whole.start] === 1 ? 20 : 12)
  const isLong = data[own.start] === 1
  const duration = isLong
    ? numberAt(data, own, 28) * 2 ** 32 + numberAt(data, own, 32)
    : numberAt(data, own, 20)
  // All bits set means unknown.
  return unitsPerSecond > 0 && duration < 0xffffffff ? duration / unitsPerSecond : 0
}
