// What a WAV file holds, by its first `fmt ` chunk: raw sound, whose rate is that by which it is played, or the frames
// of some other format, which have rates of their own. Source: Microsoft, "Multiple Channel Audio Data and WAVE Files".

const PCM = 1
const FLOAT = 3
const A_LAW = 6
const MU_LAW = 7
const EXTENSIBLE = 0xfffe
const FIRST_CHUNK = 12
const CHUNK_HEAD_BYTES = 8
const SHORTEST_FORMAT = 16
/** Where the format stands in an extensible chunk, and what follows it there when it is one of these. */
const SUB_FORMAT_AT = 24
const SUB_FORMAT_TAIL = Buffer.from('000000001000800000aa00389b71', 'hex')

/** Bytes a second; undefined when the file is not raw sound, or names two formats. */
export function rawWavRate(data: Buffer): number | undefined {
  const formats = formatsIn(data)
  const [at] = formats
  if (at === undefined || formats.length > 1) return undefined
  const tag = tagAt(data, at)
  const samplesPerSecond = data.readUInt16LE(at + 2) * data.readUInt32LE(at + 4)
  if (tag === A_LAW || tag === MU_LAW) return samplesPerSecond
  const bits = data.readUInt16LE(at + 14)
  return tag === PCM || tag === FLOAT ? (samplesPerSecond * bits) / 8 : undefined
}

function tagAt(data: Buffer, at: number): number | undefined {
  const tag = data.readUInt16LE(at)
  if (tag !== EXTENSIBLE) return tag
  const tailAt = at + SUB_FORMAT_AT + 2
  const tail = data.subarray(tailAt, tailAt + SUB_FORMAT_TAIL.length)
  return tail.equals(SUB_FORMAT_TAIL) ? data.readUInt16LE(at + SUB_FORMAT_AT) : undefined
}

/** Where the formats begin that stand before the sound. */
function formatsIn(data: Buffer): number[] {
  const found: number[] = []
  let at = FIRST_CHUNK
  while (at + CHUNK_HEAD_BYTES + SHORTEST_FORMAT <= data.length) {
    const id = data.toString('latin1', at, at + 4)
    if (id === 'data') break
    if (id === 'fmt ') found.push(at + CHUNK_HEAD_BYTES)
    const size = data.readUInt32LE(at + 4)
    at += CHUNK_HEAD_BYTES + size + (size % 2)
  }
  return found
}
