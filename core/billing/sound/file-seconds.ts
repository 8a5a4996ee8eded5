// Chooses the reader for a file by its bytes alone, whatever type or name the client states.
import { agreedSeconds, mostSeconds, rawSeconds } from './audio-bounds.ts'
import { flacHeadRate, flacSeconds } from './flac-seconds.ts'
import { matroskaSeconds } from './matroska-seconds.ts'
import { mp4Seconds } from './mp4-seconds.ts'
import { afterTags, mpegSeconds } from './mpeg-seconds.ts'
import { oggSeconds } from './ogg-seconds.ts'
import { wavSeconds } from './wav-seconds.ts'

export async function fileSeconds(data: Buffer): Promise<number> {
  // Players skip tags in front of a file of any kind.
  const sound = data.subarray(afterTags(data))
  const counted = oggSeconds(sound) ?? matroskaSeconds(sound) ?? mp4Seconds(sound)
  if (counted) return agreedSeconds(counted, data.length)
  const seconds = wavSeconds(sound) ?? losslessSeconds(sound) ?? mpegSeconds(data)
  if (seconds !== undefined) return seconds === 'broken' ? mostSeconds(data.length) : seconds
  return (await aiffSeconds(data)) ?? mostSeconds(data.length)
}

function losslessSeconds(data: Buffer): number | undefined {
  if (data.toString('latin1', 0, 4) !== 'fLaC' || data.length < 26) return undefined
  const rate = flacHeadRate(data)
  const samples = (data.readUInt8(21) & 15) * 2 ** 32 + data.readUInt32BE(22)
  const counted = flacSeconds(data, rate)
  // The header states the length exactly, which counts if the frames agree.
  const said = Math.min(counted, rate > 0 ? samples / rate : 0)
  return agreedSeconds({ counted, said }, data.length)
}

/** The name of its header chunk, and the first byte of the size. */
const AIFF_HEAD = 'COMM\0'

/** Only raw sound is read; AIFF may also contain compressed sound. */
async function aiffSeconds(data: Buffer): Promise<number | undefined> {
  if (data.toString('latin1', 0, 4) !== 'FORM') return undefined
  // With two headers, decoders may differ in which one they follow.
  const head = data.indexOf(AIFF_HEAD)
  if (head < 0 || data.includes(AIFF_HEAD, head + 1)) return undefined
  try {
    // Loaded with the first file of this rare kind.
    const { parseBuffer } = await import('music-metadata')
    const { format } = await parseBuffer(data, undefined, { skipCovers: true })
    const { sampleRate = 0, numberOfChannels = 0, bitsPerSample = 0 } = format
    if (format.container !== 'AIFF' || !format.lossless) return undefined
    return rawSeconds(data.length, (sampleRate * numberOfChannels * bitsPerSample) / 8)
  } catch {
    return undefined
  }
}
