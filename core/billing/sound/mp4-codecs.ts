// The codec of the samples in an MP4 track, by its sample entries. Sources: ISO/IEC 14496-12 (sample entries), 14496-1
// (descriptors), Apple's QuickTime File Format (versions 1 and 2 of the entry, `wave`).

import { aacConfig } from './aac-config.ts'
import { flacHeadRate } from './flac-seconds.ts'
import { type Box, boxesIn } from './mp4-boxes.ts'
import { ac3Packets } from './ac3-packets.ts'
import {
  type PacketReader,
  aacPackets,
  alacPackets,
  amrPackets,
  densePackets,
  flacPackets,
  mpegPackets,
  opusPackets,
  rawPackets,
} from './packets.ts'

const NO_HEAD = Buffer.alloc(0)
const ENTRIES_AT = 8
const ENTRY_HEAD_BYTES = 28
const MORE_BYTES = [0, 16, 36] as const
const MPEG_LAYERS: ReadonlySet<number> = new Set([0x69, 0x6b])
const AAC: ReadonlySet<number> = new Set([0x40, 0x66, 0x67, 0x68])
const rawBytes: ReadonlyMap<string, number> = new Map([
  ['ulaw', 1],
  ['alaw', 1],
  ['in24', 3],
  ['in32', 4],
  ['fl32', 4],
  ['fl64', 8],
])

/** One reader for each sample entry; samples state which entry is theirs. */
export function readersOf(data: Buffer, descriptions: Box): PacketReader[] {
  const entries = boxesIn(data, descriptions.start + ENTRIES_AT, descriptions.end)
  return entries.map((entry) => readerOf(data, entry) ?? densePackets)
}

function readerOf(data: Buffer, entry: Box): PacketReader | undefined {
  if (entry.start + ENTRY_HEAD_BYTES > entry.end) return undefined
  const channels = Math.max(1, data.readUInt16BE(entry.start + 16))
  const samplesPerSecond = data.readUInt16BE(entry.start + 24)
  const inner = innerBoxes(data, entry)
  const content = (type: string) => {
    const box = inner.find((one) => one.type === type)
    return box && data.subarray(box.start, box.end)
  }
  switch (entry.type) {
    case 'mp4a':
      return descriptorReader(content('esds'))
    case '.mp3':
      return mpegPackets
    case 'Opus':
      return opusPackets
    case 'fLaC':
      return flacPackets(flacHeadRate(content('dfLa') ?? NO_HEAD) || samplesPerSecond)
    case 'alac':
      return alacPackets(content('alac')?.subarray(4) ?? NO_HEAD)
    case 'samr':
    case 'sawb':
      return amrPackets(entry.type === 'sawb')
    case 'ac-3':
    case 'ec-3':
      return ac3Packets
    default:
      return rawReader(entry.type, samplesPerSecond, channels, data.readUInt16BE(entry.start + 18))
  }
}

function rawReader(
  type: string,
  samplesPerSecond: number,
  channels: number,
  bits: number,
): PacketReader | undefined {
  const isPlain = type === 'sowt' || type === 'twos' || type === 'raw '
  const bytes = isPlain ? Math.max(1, bits / 8) : rawBytes.get(type)
  return bytes && samplesPerSecond > 0 ? rawPackets(samplesPerSecond, bytes * channels) : undefined
}

/** QuickTime's entries are longer and may have the codec's configuration in a box of its own. */
function innerBoxes(data: Buffer, entry: Box): Box[] {
  const version = data.readUInt16BE(entry.start + 8)
  const start = entry.start + ENTRY_HEAD_BYTES + (MORE_BYTES[version] ?? 0)
  const boxes = boxesIn(data, start, entry.end)
  const wrapped = boxes.filter(({ type }) => type === 'wave')
  return [...boxes, ...wrapped.flatMap((box) => boxesIn(data, box.start, box.end))]
}

const STREAM = 3
const DECODER = 4
const DECODER_HEAD = 5
const DECODER_BYTES = 13

/** Finds the object type and the configuration of the codec in nested descriptors. */
function descriptorReader(content: Buffer | undefined): PacketReader | undefined {
  if (!content) return undefined
  const stream = descriptorAt(content, 4, STREAM)
  if (stream === undefined) return undefined
  const flags = content[stream + 2] ?? 0
  let at = stream + 3
  if (flags & 0x80) at += 2
  if (flags & 0x40) at += 1 + (content[at] ?? 0)
  if (flags & 0x20) at += 2
  const decoder = descriptorAt(content, at, DECODER)
  if (decoder === undefined) return undefined
  const kind = content[decoder] ?? 0
  if (MPEG_LAYERS.has(kind)) return mpegPackets
  const head = descriptorAt(content, decoder + DECODER_BYTES, DECODER_HEAD)
  if (!AAC.has(kind) || head === undefined) return undefined
  const config = aacConfig(content.subarray(head))
  return config && aacPackets(config)
}

/** Where the content of a descriptor begins. Its size is written with seven bits a byte. */
function descriptorAt(content: Buffer, at: number, tag: number): number | undefined {
  if (content[at] !== tag) return undefined
  let next = at + 1
  while (next < at + 4 && (content[next] ?? 0) & 0x80) next += 1
  return next + 1
}
