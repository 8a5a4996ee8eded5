// The length of Vorbis packets, by the size of their blocks. The sizes are in the list of modes at the very end of the
// third header, and everything before must be read to get there. Source: Vorbis I specification, sections 3 and 4.

import { type PacketReader, densePackets } from './packets.ts'

const CODEBOOK_SYNC = 0x564342
const HEAD_BYTES = 7
const IDENTIFICATION_BYTES = 30

/** Undefined if the headers are invalid. */
export function vorbisPackets(identification: Buffer, setup: Buffer): PacketReader | undefined {
  if (!isHead(identification, 1) || !isHead(setup, 5)) return undefined
  if (identification.length < IDENTIFICATION_BYTES) return undefined
  const samplesPerSecond = identification.readUInt32LE(12)
  const sizes = identification.readUInt8(28)
  const blocks = blocksOf(new Bits(setup), identification.readUInt8(11))
  if (!blocks || samplesPerSecond === 0) return undefined
  const modes = blocks.map((isLong) => 1 << (isLong ? sizes >> 4 : sizes & 15))
  const modeMask = 2 ** bitsFor(modes.length - 1) - 1
  let previous = 0
  let isDoubtful = false
  return (data, start, end) => {
    if (end <= start) return 0
    const first = data[start] ?? 0
    const size = modes[(first >> 1) & modeMask]
    // A header among the sound changes the packets after it.
    isDoubtful ||= (first & 1) === 1
    if (isDoubtful || size === undefined) return densePackets(data, start, end)
    const samples = previous === 0 ? 0 : (previous + size) / 4
    previous = size
    return samples / samplesPerSecond
  }
}

export function isHead(packet: Buffer, kind: number): boolean {
  return packet[0] === kind && packet.toString('latin1', 1, HEAD_BYTES) === 'vorbis'
}

/** For each mode, whether its blocks are long. */
function blocksOf(bits: Bits, channels: number): boolean[] | undefined {
  bits.skip(HEAD_BYTES * 8)
  try {
    repeat(bits.read(8) + 1, () => skipCodebook(bits))
    repeat(bits.read(6) + 1, () => bits.skip(16))
    repeat(bits.read(6) + 1, () => skipFloor(bits))
    repeat(bits.read(6) + 1, () => skipResidue(bits))
    repeat(bits.read(6) + 1, () => skipMapping(bits, channels))
    return repeat(bits.read(6) + 1, () => {
      const isLong = bits.read(1) === 1
      bits.skip(40)
      return isLong
    })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function skipCodebook(bits: Bits): void {
  if (bits.read(24) !== CODEBOOK_SYNC) throw new RangeError('no codebook')
  const dimensions = bits.read(16)
  const entries = bits.read(24)
  if (bits.read(1) === 1) skipOrderedLengths(bits, entries)
  else if (bits.read(1) === 0) bits.skip(entries * 5)
  else for (let entry = 0; entry < entries; entry += 1) if (bits.read(1) === 1) bits.skip(5)
  const lookup = bits.read(4)
  if (lookup === 0) return
  bits.skip(64)
  const valueBits = bits.read(4) + 1
  bits.skip(1)
  const values = lookup === 1 ? rootOf(entries, dimensions) : entries * dimensions
  bits.skip(values * valueBits)
}

function skipOrderedLengths(bits: Bits, entries: number): void {
  bits.skip(5)
  for (let entry = 0; entry < entries; ) entry += bits.read(bitsFor(entries - entry))
}

/** The greatest number whose power does not exceed `entries`. */
function rootOf(entries: number, dimensions: number): number {
  if (dimensions === 0) throw new RangeError('no dimension')
  let root = Math.floor(entries ** (1 / dimensions)) + 1
  while (root > 0 && root ** dimensions > entries) root -= 1
  return root
}

function skipFloor(bits: Bits): void {
  if (bits.read(16) === 0) {
    bits.skip(8 + 16 + 16 + 6 + 8)
    bits.skip((bits.read(4) + 1) * 8)
    return
  }
  const classes = repeat(bits.read(5), () => bits.read(4))
  const dimensions = repeat(Math.max(-1, ...classes) + 1, () => {
    const count = bits.read(3) + 1
    const subclasses = bits.read(2)
    if (subclasses > 0) bits.skip(8)
    bits.skip(2 ** subclasses * 8)
    return count
  })
  bits.skip(2)
  const rangeBits = bits.read(4)
  for (const one of classes) bits.skip((dimensions[one] ?? 0) * rangeBits)
}

function skipResidue(bits: Bits): void {
  bits.skip(16 + 24 + 24 + 24)
  const classifications = bits.read(6) + 1
  bits.skip(8)
  const books = repeat(classifications, () => {
    const low = bits.read(3)
    const high = bits.read(1) === 1 ? bits.read(5) : 0
    return ones(high) + ones(low)
  })
  for (const count of books) bits.skip(count * 8)
}

function skipMapping(bits: Bits, channels: number): void {
  bits.skip(16)
  const submaps = bits.read(1) === 1 ? bits.read(4) + 1 : 1
  const steps = bits.read(1) === 1 ? bits.read(8) + 1 : 0
  bits.skip(steps * 2 * bitsFor(channels - 1) + 2)
  if (submaps > 1) bits.skip(channels * 4)
  bits.skip(submaps * 24)
}

function repeat<Value>(times: number, read: () => Value): Value[] {
  return Array.from({ length: times }, read)
}

/** How many bits a number takes. */
function bitsFor(value: number): number {
  return value > 0 ? 32 - Math.clz32(value) : 0
}

function ones(value: number): number {
  let count = 0
  for (let rest = value; rest > 0; rest >>= 1) count += rest & 1
  return count
}

/** Reads bits, the lowest of a byte first. Throws a RangeError past the end. */
class Bits {
  private at = 0
  private readonly data: Buffer

  constructor(data: Buffer) {
    this.data = data
  }

  skip(count: number): void {
    this.at += count
    if (this.at > this.data.length * 8) throw new RangeError('past the end')
  }

  read(count: number): number {
    const start = this.at
    this.skip(count)
    let value = 0
    for (let bit = 0; bit < count; bit += 1) {
      const at = start + bit
      value += (((this.data[at >> 3] ?? 0) >> (at & 7)) & 1) * 2 ** bit
    }
    return value
  }
}
