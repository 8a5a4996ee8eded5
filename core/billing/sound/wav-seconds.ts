// The length of a WAV file by the bytes of its sound and its first `fmt ` chunk: raw sound and codecs of constant
// density by the rate at which they are played, MPEG by its frames. Decoders are not bound to the sizes of chunks that
// the file states. Source: Microsoft, "Multiple Channel Audio Data and WAVE Files", and the registry of wave formats
// (RFC 2361).

import { mostSeconds, rawSeconds } from './audio-bounds.ts'
import { mpegSeconds } from './mpeg-seconds.ts'

const PCM = 1
const ADPCM = 2
const FLOAT = 3
const A_LAW = 6
const MU_LAW = 7
const IMA_ADPCM = 0x11
const GSM = 0x31
const EXTENSIBLE = 0xfffe
const mpegTags: ReadonlySet<number> = new Set([0x50, 0x55, 0x1600])
/** 65 bytes contain 320 samples of one channel, at 8 000 a second. */
const GSM_BYTES_PER_SECOND = 1625
const FIRST_CHUNK = 12
const CHUNK_HEAD_BYTES = 8
const SHORTEST_FORMAT = 16
/** Where an extensible chunk has its format, and what follows the formats listed here. */
const SUB_FORMAT_AT = 24
const SUB_FORMAT_TAIL = Buffer.from('000000001000800000aa00389b71', 'hex')
const names: ReadonlySet<string> = new Set(['RIFF', 'RF64', 'BW64'])

/** Undefined if the bytes are no such file. */
export function wavSeconds(data: Buffer): number | undefined {
  if (!names.has(data.toString('latin1', 0, 4))) return undefined
  if (data.toString('latin1', 8, 12) !== 'WAVE') return undefined
  const { formats, sound } = chunksOf(data)
  const [at] = formats
  if (at === undefined || formats.length > 1) return mostSeconds(data.length)
  const tag = tagAt(data, at)
  if (tag !== undefined && mpegTags.has(tag)) {
    const counted = mpegSeconds(sound)
    return typeof counted === 'number' ? counted : mostSeconds(data.length)
  }
  return rawSeconds(sound.length, bytesPerSecond(data, at, tag))
}

/** 0 for unknown formats. */
function bytesPerSecond(data: Buffer, at: number, tag: number | undefined): number {
  const samplesPerSecond = data.readUInt16LE(at + 2) * data.readUInt32LE(at + 4)
  if (tag === A_LAW || tag === MU_LAW) return samplesPerSecond
  if (tag === PCM || tag === FLOAT) return (samplesPerSecond * data.readUInt16LE(at + 14)) / 8
  if (tag === GSM) return GSM_BYTES_PER_SECOND
  if (tag === ADPCM) return samplesPerSecond * adpcmBytesPerSample(data, at, 7, 2)
  return tag === IMA_ADPCM ? samplesPerSecond * adpcmBytesPerSample(data, at, 4, 1) : 0
}

/** A block has a header for each channel with some samples, and four bits for each further sample. */
function adpcmBytesPerSample(
  data: Buffer,
  at: number,
  headBytes: number,
  headSamples: number,
): number {
  const channels = Math.max(1, data.readUInt16LE(at + 2))
  const bytes = data.readUInt16LE(at + 12) / channels
  return bytes > headBytes ? bytes / ((bytes - headBytes) * 2 + headSamples) : 1 / 2
}

function tagAt(data: Buffer, at: number): number | undefined {
  const tag = data.readUInt16LE(at)
  if (tag !== EXTENSIBLE) return tag
  const tailAt = at + SUB_FORMAT_AT + 2
  const tail = data.subarray(tailAt, tailAt + SUB_FORMAT_TAIL.length)
  return tail.equals(SUB_FORMAT_TAIL) ? data.readUInt16LE(at + SUB_FORMAT_AT) : undefined
}

/** Where the formats before the sound begin, and everything after the header of the sound's chunk. */
function chunksOf(data: Buffer): { formats: number[]; sound: Buffer } {
  const formats: number[] = []
  let at = FIRST_CHUNK
  while (at + CHUNK_HEAD_BYTES <= data.length) {
    const id = data.toString('latin1', at, at + 4)
    const start = at + CHUNK_HEAD_BYTES
    if (id === 'data') return { formats, sound: data.subarray(start) }
    if (id === 'fmt ' && start + SHORTEST_FORMAT <= data.length) formats.push(start)
    const size = data.readUInt32LE(at + 4)
    at = start + size + (size % 2)
  }
  // Without a chunk of sound, everything after the format may be sound.
  return { formats, sound: data.subarray(FIRST_CHUNK) }
}
