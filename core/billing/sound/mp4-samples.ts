// Where the samples of a track are in an MP4 file, by the tables of its header and the runs of its fragments. Source:
// ISO/IEC 14496-12, sections 8.6 to 8.8.

import { type Box, boxesOf, numberAt } from './mp4-boxes.ts'

export type VisitSample = (start: number, end: number) => void

/** Visits the samples in the tables of a track.
 *  @returns false if a table is missing, occurs twice, or is of a kind that is not read */
export function samplesInTables(data: Buffer, table: Box, visit: VisitSample): boolean {
  const only = (type: string) => {
    const [box, ...more] = boxesOf(data, table, type)
    return more.length === 0 ? box : undefined
  }
  const sizes = only('stsz')
  const runs = only('stsc')
  const isLong = boxesOf(data, table, 'co64').length > 0
  const chunks = isLong ? only('co64') : only('stco')
  if (!sizes || !runs || !chunks || (isLong && only('stco'))) return false
  const even = numberAt(data, sizes, 4)
  const count = Math.min(numberAt(data, sizes, 8), even > 0 ? data.length : sizes.end - sizes.start)
  const chunkCount = Math.min(numberAt(data, chunks, 4), (chunks.end - chunks.start) / 4)
  const runCount = numberAt(data, runs, 4)
  let sample = 0
  let run = 0
  for (let chunk = 1; chunk <= chunkCount && sample < count; chunk += 1) {
    while (run + 1 < runCount && numberAt(data, runs, 8 + (run + 1) * 12) === chunk) run += 1
    let at = isLong
      ? numberAt(data, chunks, chunk * 8) * 2 ** 32 + numberAt(data, chunks, chunk * 8 + 4)
      : numberAt(data, chunks, 4 + chunk * 4)
    const last = Math.min(count, sample + numberAt(data, runs, 8 + run * 12 + 4))
    for (; sample < last; sample += 1) {
      const end = at + (even || numberAt(data, sizes, 12 + sample * 4))
      visit(at, end)
      at = end
    }
  }
  return true
}

const HAS_BASE = 0x1
const HAS_DESCRIPTION = 0x2
const HAS_DEFAULT_DURATION = 0x8
const HAS_DEFAULT_SIZE = 0x10
const HAS_OFFSET = 0x1
const HAS_FIRST_FLAGS = 0x4
const HAS_DURATION = 0x100
const HAS_SIZE = 0x200
const HAS_FLAGS = 0x400
const HAS_COMPOSITION = 0x800
const FLAGS = 0xffffff

/** Visits the samples in the runs of a track in one fragment. `usualSize` is the size stated in the header for all
 *  fragments of the track. */
export function samplesInFragment(
  data: Buffer,
  fragment: Box,
  track: number,
  usualSize: number,
  visit: VisitSample,
): void {
  let at = fragment.at
  for (const part of boxesOf(data, fragment, 'traf')) {
    const [head] = boxesOf(data, part, 'tfhd')
    if (!head || numberAt(data, head, 4) !== track) continue
    const flags = numberAt(data, head, 0)
    let place = 8
    let base = fragment.at
    if (flags & HAS_BASE) {
      base = numberAt(data, head, 8) * 2 ** 32 + numberAt(data, head, 12)
      place += 8
    }
    if (flags & HAS_DESCRIPTION) place += 4
    if (flags & HAS_DEFAULT_DURATION) place += 4
    const size = flags & HAS_DEFAULT_SIZE ? numberAt(data, head, place) : usualSize
    for (const run of boxesOf(data, part, 'trun'))
      at = takeRun(data, run, { base, at, size }, visit)
  }
}

interface Place {
  base: number
  /** After the previous run, unless this one states its own place. */
  at: number
  size: number
}

function takeRun(data: Buffer, run: Box, { base, at, size }: Place, visit: VisitSample): number {
  const flags = numberAt(data, run, 0) & FLAGS
  const count = Math.min(numberAt(data, run, 4), data.length)
  let place = 8
  let start = at
  if (flags & HAS_OFFSET) {
    start = base + (numberAt(data, run, place) | 0)
    place += 4
  }
  if (flags & HAS_FIRST_FLAGS) place += 4
  const sizeAt = flags & HAS_DURATION ? 4 : 0
  const fields = [HAS_DURATION, HAS_SIZE, HAS_FLAGS, HAS_COMPOSITION]
  const width = fields.filter((field) => flags & field).length * 4
  for (let sample = 0; sample < count && run.start + place + width <= run.end; sample += 1) {
    const end = start + (flags & HAS_SIZE ? numberAt(data, run, place + sizeAt) : size)
    visit(start, end)
    start = end
    place += width
  }
  return start
}
