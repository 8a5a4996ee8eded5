// The length of an MPEG audio stream (MP3 and older layers, AAC in ADTS), as the sum of its frames. What an encoder
// wrote about the whole (the tags of Xing, Info and VBRI) is not read, because it can be forged. Sources: ISO/IEC
// 11172-3 and 13818-3 (frame header), ISO/IEC 14496-3 (ADTS).

import { AAC_RATES } from './aac-config.ts'
import { AacStream } from './aac-packets.ts'
import { mostSeconds } from './audio-bounds.ts'

interface Frame {
  bytes: number
  /** Of an AAC frame, according to the number of blocks in its header. */
  seconds: number
  isAac: boolean
}

/** Rates of layers I, II and III in version 1, then of layer I and of layers II and III in versions 2 and 2.5, in kbit/s. */
const RATES = {
  v1l1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  v1l2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  v1l3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  v2l1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  v2l23: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const

/** By the two bits of the version: 2.5, reserved, 2, 1. */
const SAMPLES_PER_SECOND = [
  [11_025, 12_000, 8_000],
  [],
  [22_050, 24_000, 16_000],
  [44_100, 48_000, 32_000],
] as const

const SYNC = 0xff
const ID3_HEAD_BYTES = 10
const MOST_PADDING = 65_536

/** Undefined if the bytes are no such stream; `broken` if they begin as one but mostly are something else. */
export function mpegSeconds(data: Buffer): number | 'broken' | undefined {
  const tagged = afterTags(data)
  const start = tagged === 0 ? 0 : afterPadding(data, tagged)
  const first = frameAt(data, start)
  if (!first) return undefined
  const mostSkipped = (data.length - start) / 2
  const kinds = new Set<number>()
  let seconds = 0
  let skipped = 0
  let at = start
  while (at < data.length) {
    const frame = data[at] === SYNC ? frameAt(data, at) : undefined
    const isWhole = frame !== undefined && isFollowed(data, at + frame.bytes)
    // Players skip data between frames. After such data, a frame of a kind that has occurred before counts even if no
    // other follows.
    if (frame && (isWhole || kinds.has(kindAt(data, at)))) seconds += frame.seconds
    if (frame) kinds.add(kindAt(data, at))
    if (isWhole) {
      if (frame.isAac) seconds += moreSeconds(data, at, frame)
      at += frame.bytes
    } else {
      skipped += 1
      if (skipped > mostSkipped) return 'broken'
      at += 1
    }
  }
  // Data between AAC frames may be blocks without a header.
  return first.isAac ? seconds + mostSeconds(skipped) : seconds
}

/** Decoders read blocks as long as the frame has bytes, whatever its header states. */
function moreSeconds(data: Buffer, at: number, { bytes, seconds }: Frame): number {
  const counted = new AacStream().seconds(data, at, Math.min(data.length, at + bytes))
  return Math.max(0, counted - seconds)
}

/** Where the sound begins, after tags with titles and pictures. */
export function afterTags(data: Buffer): number {
  let at = 0
  while (data.toString('latin1', at, at + 3) === 'ID3' && at + ID3_HEAD_BYTES <= data.length) {
    // Seven bits a byte.
    const size = [6, 7, 8, 9].reduce((sum, place) => sum * 128 + ((data[at + place] ?? 0) & 127), 0)
    at += ID3_HEAD_BYTES + size
  }
  return at
}

/** Some writers leave more room after their tag than it states. */
function afterPadding(data: Buffer, start: number): number {
  for (let at = start; at < start + MOST_PADDING; at += 1) {
    const frame = frameAt(data, at)
    if (frame && frameAt(data, at + frame.bytes)) return at
  }
  return start
}

/** The part of the header that is the same in all frames: version, layer and sampling rate, for AAC also the profile. */
function kindAt(data: Buffer, at: number): number {
  const second = (data[at + 1] ?? 0) & 0xfe
  return second * 256 + ((data[at + 2] ?? 0) & ((second & 6) === 0 ? 0xfc : 0x0c))
}

/** A frame only counts if another one, the end or a tag follows. */
function isFollowed(data: Buffer, at: number): boolean {
  if (at + 4 > data.length || frameAt(data, at)) return true
  const tag = data.toString('latin1', at, at + 3)
  return tag === 'TAG' || tag === 'APE' || tag === 'ID3'
}

function frameAt(data: Buffer, at: number): Frame | undefined {
  const second = data[at + 1] ?? 0
  if (data[at] !== SYNC || (second & 0xe0) !== 0xe0) return undefined
  const layerBits = (second >> 1) & 3
  if (layerBits === 0) return (second & 0xf0) === 0xf0 ? adtsFrame(data, at) : undefined
  return mpegFrame(second, data[at + 2] ?? 0, 4 - layerBits)
}

function mpegFrame(second: number, third: number, layer: number): Frame | undefined {
  const version = (second >> 3) & 3
  const samplesPerSecond = SAMPLES_PER_SECOND[version]?.[(third >> 2) & 3]
  const bitRate = (ratesOf(version === 3, layer)[third >> 4] ?? 0) * 1000
  if (!samplesPerSecond || bitRate === 0) return undefined
  const padding = (third >> 1) & 1
  if (layer === 1) {
    const slots = Math.floor((12 * bitRate) / samplesPerSecond) + padding
    return { bytes: slots * 4, seconds: 384 / samplesPerSecond, isAac: false }
  }
  const samples = layer === 3 && version !== 3 ? 576 : 1152
  const bytes = Math.floor(((samples / 8) * bitRate) / samplesPerSecond) + padding
  return { bytes, seconds: samples / samplesPerSecond, isAac: false }
}

function ratesOf(isFirst: boolean, layer: number): readonly number[] {
  if (!isFirst) return layer === 1 ? RATES.v2l1 : RATES.v2l23
  if (layer === 1) return RATES.v1l1
  return layer === 2 ? RATES.v1l2 : RATES.v1l3
}

function adtsFrame(data: Buffer, at: number): Frame | undefined {
  if (at + 7 > data.length) return undefined
  const samplesPerSecond = AAC_RATES[(data.readUInt8(at + 2) >> 2) & 15]
  const bytes = (data.readUIntBE(at + 3, 3) >> 5) & 0x1fff
  if (!samplesPerSecond || bytes < 7) return undefined
  const blocks = (data.readUInt8(at + 6) & 3) + 1
  return { bytes, seconds: (blocks * 1024) / samplesPerSecond, isAac: true }
}
