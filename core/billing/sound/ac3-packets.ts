// The length of AC-3 and Enhanced AC-3 packets. Each frame states the rate by which it is played, and a packet may
// contain many. Source: ETSI TS 102 366, sections 4.3, 4.4 and E.1.2.

import { densePackets, type PacketReader } from './packets.ts'

const SYNC = 0x0b77
const HEAD_BYTES = 6
const BLOCK_SAMPLES = 256
const MOST_BLOCKS = 6
const RATES = [48_000, 44_100, 32_000] as const
/** In kbit/s, by the size code without its lowest bit. */
const BIT_RATES = [
  32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
] as const
const BLOCKS = [1, 2, 3, 6] as const
/** Ids up to this one are plain AC-3; those above 8 have half or a quarter of the rate. */
const LAST_PLAIN = 10
const LAST_ENHANCED = 16

interface Frame {
  bytes: number
  seconds: number
}

export const ac3Packets: PacketReader = (data, start, end) => {
  let seconds = 0
  let at = start
  while (at < end) {
    const frame = at + HEAD_BYTES <= end ? frameAt(data, at) : undefined
    if (!frame) return seconds + densePackets(data, at, end)
    seconds += frame.seconds
    at += frame.bytes
  }
  return seconds
}

function frameAt(data: Buffer, at: number): Frame | undefined {
  if (data.readUInt16BE(at) !== SYNC) return undefined
  const id = data.readUInt8(at + 5) >> 3
  const codes = data.readUInt8(at + 4)
  if (id <= LAST_PLAIN) return plainFrame(codes, Math.max(0, id - 8))
  return id <= LAST_ENHANCED ? enhancedFrame(data.readUInt16BE(at + 2), codes) : undefined
}

function plainFrame(codes: number, halvings: number): Frame | undefined {
  const rate = RATES[codes >> 6]
  const bitRate = BIT_RATES[(codes & 63) >> 1]
  if (!rate || !bitRate) return undefined
  const samples = BLOCK_SAMPLES * MOST_BLOCKS
  const words = Math.floor((bitRate * 1000 * samples) / rate / 16)
  const padding = rate === 44_100 ? codes & 1 : 0
  return { bytes: (words + padding) * 2, seconds: (samples * 2 ** halvings) / rate }
}

function enhancedFrame(sizes: number, codes: number): Frame | undefined {
  const bytes = ((sizes & 0x7ff) + 1) * 2
  const isHalf = codes >> 6 === 3
  const rate = isHalf ? (RATES[(codes >> 4) & 3] ?? 0) / 2 : RATES[codes >> 6]
  const blocks = isHalf ? MOST_BLOCKS : BLOCKS[(codes >> 4) & 3]
  if (!rate || !blocks) return undefined
  return { bytes, seconds: (blocks * BLOCK_SAMPLES) / rate }
}
