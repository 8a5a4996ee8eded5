// The length of one packet of a codec, by the packet itself. Where a header matters (a rate, the size of a frame), it
// is one that decoders play by, so a wrong value would spoil the sound.

import type { AacConfig } from './aac-config.ts'
import { AacStream } from './aac-packets.ts'
import { mostSeconds } from './audio-bounds.ts'
import { flacSeconds } from './flac-seconds.ts'
import { mpegSeconds } from './mpeg-seconds.ts'

/** Seconds of the bytes from `start` to `end`. Packets must be given in the order of the file. */
export type PacketReader = (data: Buffer, start: number, end: number) => number

/** For codecs that are not read. */
export const densePackets: PacketReader = (_data, start, end) => mostSeconds(end - start)

/** RFC 6716, section 3.1: in milliseconds, by the configuration in the first byte. */
const SILK_MS = [10, 20, 40, 60] as const
const HYBRID_MS = [10, 20] as const
const CELT_MS = [2.5, 5, 10, 20] as const
const LONGEST_OPUS = 0.12

export const opusPackets: PacketReader = (data, start, end) => {
  if (end <= start) return 0
  const first = data[start] ?? 0
  const code = first & 3
  const frames = code === 0 ? 1 : code < 3 ? 2 : end > start + 1 ? (data[start + 1] ?? 0) & 63 : 0
  return Math.min(LONGEST_OPUS, (frames * opusFrameMs(first >> 3)) / 1000)
}

function opusFrameMs(configuration: number): number {
  if (configuration < 12) return SILK_MS[configuration & 3] ?? 0
  return (configuration < 16 ? HYBRID_MS[configuration & 1] : CELT_MS[configuration & 3]) ?? 0
}

/** A packet may contain several frames, each with its own header. */
export function flacPackets(headRate: number): PacketReader {
  return (data, start, end) => flacSeconds(data.subarray(start, end), headRate)
}

export const mpegPackets: PacketReader = (data, start, end) => {
  const seconds = mpegSeconds(data.subarray(start, end))
  return typeof seconds === 'number' ? seconds : densePackets(data, start, end)
}

/** Packets that all have the same length. */
export function evenPackets(seconds: number): PacketReader {
  return (_data, start, end) => (end > start ? seconds : 0)
}

export function aacPackets(config: AacConfig): PacketReader {
  const stream = new AacStream(config)
  return (data, start, end) => (end > start ? stream.seconds(data, start, end) : 0)
}

/** Raw sound. A packet contains at least one sample of each channel. */
export function rawPackets(samplesPerSecond: number, bytesPerSample: number): PacketReader {
  return (_data, start, end) => Math.max(1, (end - start) / bytesPerSample) / samplesPerSecond
}

const ALAC_COOKIE_BYTES = 24

/** Reads the header that Apple calls magic cookie.
 *  @returns undefined if the bytes are none */
export function alacPackets(cookie: Buffer): PacketReader | undefined {
  if (cookie.length < ALAC_COOKIE_BYTES) return undefined
  const samplesPerSecond = cookie.readUInt32BE(20)
  if (samplesPerSecond === 0) return undefined
  return evenPackets(cookie.readUInt32BE(0) / samplesPerSecond)
}

/** Bytes of a frame of 20 ms by its type, including its first byte. RFC 4867, sections 3.6 and 4.1. */
const AMR_BYTES = [13, 14, 16, 18, 20, 21, 27, 32, 6] as const
const AMR_WIDE_BYTES = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6] as const
const AMR_SECONDS = 0.02

export function amrPackets(isWide: boolean): PacketReader {
  const sizes: readonly number[] = isWide ? AMR_WIDE_BYTES : AMR_BYTES
  return (data, start, end) => {
    let frames = 0
    for (let at = start; at < end; at += sizes[((data[at] ?? 0) >> 3) & 15] ?? 1) frames += 1
    return frames * AMR_SECONDS
  }
}
