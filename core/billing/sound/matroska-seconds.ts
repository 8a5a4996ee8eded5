// The length of a WebM or Matroska file by the packets in its blocks, because its time stamps can be forged. Recordings
// of browsers state neither sizes nor a length in their header. Sources: RFC 9559 (elements, blocks, codecs), RFC 8794
// (EBML).

import { aacConfig, LOW_COMPLEXITY } from './aac-config.ts'
import type { Counted } from './audio-bounds.ts'
import { flacHeadRate } from './flac-seconds.ts'
import { frameBounds } from './matroska-lacing.ts'
import { ac3Packets } from './ac3-packets.ts'
import {
  type PacketReader,
  aacPackets,
  alacPackets,
  densePackets,
  flacPackets,
  mpegPackets,
  opusPackets,
  rawPackets,
} from './packets.ts'
import { vorbisPackets } from './vorbis-packets.ts'

const HEAD = 0x1a45dfa3
const CLUSTER_BYTES = Buffer.from('1f43b675', 'hex')
const TRACK = 0xae
const CONTENT_ENCODINGS = 0x6d80
/** Segment, info, cluster, block group, tracks, track and its audio settings. Their content is read as if it were on
 *  the same level, so that unknown sizes need no special care. */
const opened: ReadonlySet<number> = new Set([
  0x18538067, 0x1549a966, 0x1f43b675, 0xa0, 0x1654ae6b, 0xae, 0xe1,
])
const TIMESTAMP_SCALE = 0x2ad7b1
const CLUSTER_TIMESTAMP = 0xe7
const TRACK_NUMBER = 0xd7
const TRACK_TYPE = 0x83
const CODEC = 0x86
const CODEC_HEAD = 0x63a2
const RATE = 0xb5
const CHANNELS = 0x9f
const BITS = 0x6264
const SOUND = 2
const blocks: ReadonlySet<number> = new Set([0xa1, 0xa3])

/** A block is compared with each track of its number. */
const MOST_TRACKS = 256
const NANOSECONDS = 1_000_000_000
const USUAL_SCALE = 1_000_000

/** Undefined if the bytes are no such file, or if it has absurdly many tracks. */
export function matroskaSeconds(data: Buffer): Counted | undefined {
  if (data.length < 4 || data.readUInt32BE(0) !== HEAD) return undefined
  // Tracks may come after the blocks.
  const { tracks, scale } = headsOf(data)
  if (tracks.length > MOST_TRACKS) return undefined
  let cluster = 0
  walk(data, ({ id, start, end }) => {
    if (id === CLUSTER_TIMESTAMP) cluster = unsigned(data, start, end)
    else if (blocks.has(id)) takeBlock(data, start, end, cluster, tracks)
  })
  const sounding = tracks.filter((track) => track.type === SOUND)
  return {
    counted: Math.max(0, ...sounding.map((track) => track.seconds)),
    said: (Math.max(0, ...sounding.map(saidBy)) * scale) / NANOSECONDS,
  }
}

/** From the time of the first block to the end of the last, which is assumed to be as long as the others. */
function saidBy({ blocks: count, first, last }: Track): number {
  return count < 2 ? 0 : ((last - first) * count) / (count - 1)
}

interface Track {
  number: number
  type: number
  codec: string
  head: Buffer
  samplesPerSecond: number
  channels: number
  bits: number
  isEncoded: boolean
  reader?: PacketReader
  seconds: number
  blocks: number
  /** In the time scale of the file. */
  first: number
  last: number
}

function headsOf(data: Buffer): { tracks: Track[]; scale: number } {
  const tracks: Track[] = []
  let scale = USUAL_SCALE
  walk(data, ({ id, start, end }) => {
    if (id === TRACK) tracks.push(newTrack())
    else if (id === TIMESTAMP_SCALE) scale = unsigned(data, start, end)
    const track = tracks.at(-1)
    if (track) readField(track, data, { id, start, end })
  })
  return { tracks, scale }
}

function newTrack(): Track {
  return {
    number: 0,
    type: 0,
    codec: '',
    head: Buffer.alloc(0),
    samplesPerSecond: 8000,
    channels: 1,
    bits: 0,
    isEncoded: false,
    seconds: 0,
    blocks: 0,
    first: Number.POSITIVE_INFINITY,
    last: 0,
  }
}

function readField(track: Track, data: Buffer, { id, start, end }: Element): void {
  if (id === TRACK_NUMBER) track.number = unsigned(data, start, end)
  else if (id === TRACK_TYPE) track.type = unsigned(data, start, end)
  else if (id === CODEC) track.codec = data.toString('latin1', start, Math.min(end, start + 64))
  else if (id === CODEC_HEAD) track.head = data.subarray(start, end)
  else if (id === RATE) track.samplesPerSecond = float(data, start, end)
  else if (id === CHANNELS) track.channels = unsigned(data, start, end)
  else if (id === BITS) track.bits = unsigned(data, start, end)
  else if (id === CONTENT_ENCODINGS) track.isEncoded = true
}

function takeBlock(
  data: Buffer,
  start: number,
  end: number,
  cluster: number,
  tracks: Track[],
): void {
  const numberBytes = Math.clz32(data[start] ?? 0) - 23
  const at = start + numberBytes
  if (numberBytes > 4 || at + 3 > end) return
  const number = data.readUIntBE(start, numberBytes) - 2 ** (7 * numberBytes)
  const time = cluster + data.readInt16BE(at)
  for (const track of tracks) {
    if (track.type !== SOUND || track.number !== number) continue
    track.reader ??= readerOf(track)
    for (const frame of frameBounds(data, at + 2, end)) {
      track.seconds += track.reader(data, frame.start, frame.end)
    }
    track.blocks += 1
    track.first = Math.min(track.first, time)
    track.last = Math.max(track.last, time)
  }
}

/** The reader of the track's codec. Compressed and unknown tracks count by their bytes. */
function readerOf(track: Track): PacketReader {
  const { codec, samplesPerSecond, channels, bits, head } = track
  if (track.isEncoded || !(samplesPerSecond > 0)) return densePackets
  if (codec.startsWith('A_OPUS')) return opusPackets
  if (codec.startsWith('A_VORBIS')) return vorbisOf(head) ?? densePackets
  if (codec.startsWith('A_FLAC')) return flacPackets(flacHeadRate(head) || samplesPerSecond)
  if (codec.startsWith('A_MPEG/')) return mpegPackets
  if (codec.startsWith('A_AAC')) {
    const plain = { type: LOW_COMPLEXITY, samples: 1024, samplesPerSecond }
    return aacPackets(aacConfig(head) ?? plain)
  }
  if (codec.startsWith('A_ALAC')) return alacPackets(head) ?? densePackets
  if (codec.startsWith('A_AC3') || codec.startsWith('A_EAC3')) return ac3Packets
  if (codec.startsWith('A_PCM/') && channels > 0 && bits >= 8) {
    return rawPackets(samplesPerSecond, (channels * bits) / 8)
  }
  return densePackets
}

/** All three headers in one: their number, the sizes of the first two, then the headers. */
function vorbisOf(head: Buffer): PacketReader | undefined {
  if (head[0] !== 2) return undefined
  let at = 1
  const sizes = [0, 0].map(() => {
    let size = 0
    while (head[at] === 255) {
      size += 255
      at += 1
    }
    size += head[at] ?? 0
    at += 1
    return size
  })
  const [first = 0, second = 0] = sizes
  return vorbisPackets(head.subarray(at, at + first), head.subarray(at + first + second))
}

interface Element {
  id: number
  start: number
  end: number
}

function walk(data: Buffer, visit: (element: Element) => void): void {
  let at = 0
  while (at >= 0 && at < data.length) {
    const element = elementAt(data, at)
    if (!element) {
      // The file is damaged or cut off here. Players continue at the next cluster.
      at = data.indexOf(CLUSTER_BYTES, at + 1)
      continue
    }
    visit(element)
    at = opened.has(element.id) ? element.start : element.end
  }
}

/** Undefined if no element begins here, or one that is longer than the file. */
function elementAt(data: Buffer, at: number): Element | undefined {
  const idBytes = Math.clz32(data[at] ?? 0) - 23
  if (idBytes > 4 || at + idBytes >= data.length) return undefined
  const sizeAt = at + idBytes
  const sizeBytes = Math.clz32(data[sizeAt] ?? 0) - 23
  if (sizeBytes > 8 || sizeAt + sizeBytes > data.length) return undefined
  let size = (data[sizeAt] ?? 0) & (0xff >> sizeBytes)
  for (let next = 1; next < sizeBytes; next += 1) size = size * 256 + (data[sizeAt + next] ?? 0)
  const id = data.readUIntBE(at, idBytes)
  const start = sizeAt + sizeBytes
  if (opened.has(id)) return { id, start, end: start }
  return start + size <= data.length ? { id, start, end: start + size } : undefined
}

function unsigned(data: Buffer, start: number, end: number): number {
  const size = end - start
  return size >= 1 && size <= 6 ? data.readUIntBE(start, size) : 0
}

function float(data: Buffer, start: number, end: number): number {
  if (end - start === 4) return data.readFloatBE(start)
  return end - start === 8 ? data.readDoubleBE(start) : 0
}
