// The length of an Ogg file by its packets, because the times in its pages can be forged. Parallel streams sound at the
// same time, chained streams one after the other. Sources: RFC 3533 (pages), RFC 7845 (Opus), Vorbis I, xiph.org's
// mappings of FLAC and Speex.

import type { Counted } from './audio-bounds.ts'
import {
  type PacketReader,
  densePackets,
  evenPackets,
  flacPackets,
  opusPackets,
} from './packets.ts'
import { isHead, vorbisPackets } from './vorbis-packets.ts'

const CAPTURE = Buffer.from('OggS')
const PAGE_HEAD_BYTES = 27
const FULL_SEGMENT = 255
const CONTINUED = 1
const FIRST = 2
const SPEEX_HEAD_BYTES = 68

/** Undefined if the bytes are no such file. */
export function oggSeconds(data: Buffer): Counted | undefined {
  if (data.indexOf(CAPTURE) !== 0) return undefined
  const links: Stream[][] = []
  const open = new Map<number, Stream>()
  let isSounding = true
  let at = 0
  while (at >= 0 && at + PAGE_HEAD_BYTES <= data.length) {
    const page = pageAt(data, at)
    const known = open.get(page.serial)
    if (!known || (page.isFirst && page.isWhole)) {
      // A stream that begins after others have sounded is played after them.
      if (isSounding) links.push([])
      isSounding = false
      const stream = new Stream()
      links.at(-1)?.push(stream)
      open.set(page.serial, stream)
      isSounding = stream.take(data, page)
    } else {
      isSounding = known.take(data, page) || isSounding
    }
    // A damaged page may state a size that covers whole pages.
    at = data.indexOf(CAPTURE, page.isWhole ? page.end : at + CAPTURE.length)
  }
  const longest = (measure: (stream: Stream) => number) =>
    links.reduce((sum, link) => sum + Math.max(0, ...link.map(measure)), 0)
  return { counted: longest((stream) => stream.seconds), said: longest((stream) => stream.said) }
}

interface Page {
  serial: number
  isFirst: boolean
  isContinued: boolean
  granule: number
  segments: number
  start: number
  end: number
  /** Whether the checksum is right. A damaged page counts as sound, never as a header. */
  isWhole: boolean
}

function pageAt(data: Buffer, at: number): Page {
  const segments = data.readUInt8(at + 26)
  const start = at + PAGE_HEAD_BYTES + segments
  let end = start
  for (let next = at + PAGE_HEAD_BYTES; next < start; next += 1) end += data[next] ?? 0
  const kind = data.readUInt8(at + 5)
  return {
    serial: data.readUInt32LE(at + 14),
    isFirst: (kind & FIRST) !== 0,
    isContinued: (kind & CONTINUED) !== 0,
    granule: data.readInt32LE(at + 10) * 2 ** 32 + data.readUInt32LE(at + 6),
    segments: at + PAGE_HEAD_BYTES,
    start,
    end: Math.min(end, data.length),
    isWhole: end <= data.length && checksum(data, at, end) === data.readUInt32LE(at + 22),
  }
}

/** The pages of one serial number. */
class Stream {
  /** The length by its packets. */
  seconds = 0
  private readonly heads: Buffer[] = []
  private headsWanted = 1
  private reader: PacketReader = densePackets
  private samplesPerSecond = 0
  private parts: Buffer[] = []
  private begin: number | undefined
  private last = 0
  private preSkip = 0

  /** The length by the time of its last page. */
  get said(): number {
    if (this.samplesPerSecond === 0 || this.begin === undefined) return 0
    return Math.max(0, (this.last - this.preSkip) / this.samplesPerSecond - this.begin)
  }

  /** Reads a page.
   *  @returns whether it contained sound */
  take(data: Buffer, page: Page): boolean {
    const before = this.seconds
    const pending = this.parts
    if (!page.isContinued || !page.isWhole) this.parts = []
    let start = page.start
    let at = page.start
    for (let segment = page.segments; segment < page.start; segment += 1) {
      const size = data[segment] ?? 0
      at = Math.min(page.end, at + size)
      if (size === FULL_SEGMENT) continue
      this.takePacket(this.joined(data, start, at), page)
      start = at
    }
    if (!page.isWhole) this.parts = pending
    else if (start < page.end) this.parts.push(data.subarray(start, page.end))
    if (this.seconds > before && page.granule > 0) this.hear(page.granule, this.seconds - before)
    return this.seconds > before
  }

  private hear(granule: number, seconds: number): void {
    this.last = Math.max(this.last, granule)
    this.begin ??= Math.max(0, (granule - this.preSkip) / this.samplesPerSecond - seconds)
  }

  private joined(data: Buffer, start: number, end: number): Buffer {
    const rest = data.subarray(start, end)
    if (this.parts.length === 0) return rest
    const whole = Buffer.concat([...this.parts, rest])
    this.parts = []
    return whole
  }

  private takePacket(packet: Buffer, page: Page): void {
    if (this.heads.length >= this.headsWanted) {
      this.seconds += this.reader(packet, 0, packet.length)
      return
    }
    if (!page.isWhole) return
    this.heads.push(packet)
    if (this.heads.length === 1) this.begins(packet)
    const [identification, , setup] = this.heads
    if (identification && setup && isHead(identification, 1)) {
      this.reader = vorbisPackets(identification, setup) ?? densePackets
    }
  }

  private begins(head: Buffer): void {
    const name = head.toString('latin1', 0, 8)
    if (name === 'OpusHead' && head.length >= 12) {
      this.sounds(2, 48_000, opusPackets)
      this.preSkip = head.readUInt16LE(10)
    } else if (isHead(head, 1) && head.length >= 16) {
      this.sounds(3, head.readUInt32LE(12), densePackets)
    } else if (name.startsWith('\x7fFLAC') && head.length >= 30) {
      const rate = head.readUIntBE(27, 3) >> 4
      this.sounds(1, rate, flacPackets(rate))
    } else if (name === 'Speex   ' && head.length >= SPEEX_HEAD_BYTES) {
      this.speaks(head)
    } else if (name.slice(1, 7) === 'theora' || name.startsWith('OVP80')) {
      this.reader = () => 0
    } else {
      // The codec is unknown, so this packet may be sound already.
      this.seconds += densePackets(head, 0, head.length)
    }
  }

  private speaks(head: Buffer): void {
    const rate = head.readUInt32LE(36)
    const samples = (160 << (head.readUInt32LE(40) & 3)) * Math.max(1, head.readUInt32LE(64))
    if (rate > 0) this.sounds(2, rate, evenPackets(samples / rate))
  }

  private sounds(heads: number, samplesPerSecond: number, reader: PacketReader): void {
    this.headsWanted = heads
    this.samplesPerSecond = samplesPerSecond
    this.reader = reader
  }
}

const CHECKSUM_AT = 22
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  return sum >>> 0
})

/** CRC-32 of the page with its own four bytes as 0. Polynomial 0x04c11db7, without reflection. */
function checksum(data: Buffer, start: number, end: number): number {
  let sum = 0
  for (let at = start; at < end; at += 1) {
    const place = at - start - CHECKSUM_AT
    const byte = place >= 0 && place < 4 ? 0 : (data[at] ?? 0)
    sum = ((sum << 8) ^ (table[((sum >>> 24) ^ byte) & 255] ?? 0)) | 0
  }
  return sum >>> 0
}
