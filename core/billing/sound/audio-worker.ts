// Runs in a thread of its own: a file may hold millions of the smallest parts, and its reader must stop nobody.
import { parentPort, workerData } from 'node:worker_threads'
import { parseBuffer } from 'music-metadata'
import { type AudioFacts, boundedSeconds } from './audio-bounds.ts'
import { flacSeconds } from './flac-seconds.ts'
import { mpegSeconds } from './mpeg-seconds.ts'
import { readWebm } from './read-webm.ts'
import { rawWavRate } from './wav-rate.ts'

const data = Buffer.from(workerData as Uint8Array)

async function secondsOf(): Promise<number> {
  const counted = mpegSeconds(data)
  if (counted === 'broken') return boundedSeconds(data.length, undefined)
  if (counted !== undefined) return counted
  const facts = await factsOf()
  return facts?.container === 'FLAC' ? secondsOfFlac(facts) : boundedSeconds(data.length, facts)
}

/** The head's word, where the frames agree but for chance. */
const AGREEING = 1.02

function secondsOfFlac({ duration = 0, sampleRate = 0 }: AudioFacts): number {
  const counted = flacSeconds(data, sampleRate)
  if (counted === 0) return boundedSeconds(data.length, undefined)
  return duration <= counted && counted <= duration * AGREEING ? duration : counted
}

/** Read from the bytes alone: what the client says of its file's type or name counts nothing. */
async function factsOf(): Promise<AudioFacts | undefined> {
  const webm = readWebm(data)
  if (webm) return webm
  try {
    const { format } = await parseBuffer(data, undefined, { duration: true, skipCovers: true })
    // Its first frames would stand for all of it.
    if (format.container === 'MPEG') return undefined
    return format.container === 'WAVE' ? { ...format, rawRate: rawWavRate(data) } : format
  } catch {
    return undefined
  }
}

parentPort?.postMessage(await secondsOf(), [])
