// Runs in a thread of its own: a file may hold millions of the smallest parts, and its reader must stop nobody.
import { parentPort, workerData } from 'node:worker_threads'
import { parseBuffer } from 'music-metadata'
import { type AudioFacts, boundedSeconds } from './audio-bounds.ts'
import { mpegSeconds } from './mpeg-seconds.ts'
import { readWebm } from './read-webm.ts'

const data = Buffer.from(workerData as Uint8Array)

async function secondsOf(): Promise<number> {
  const counted = mpegSeconds(data)
  if (counted === 'broken') return boundedSeconds(data.length, undefined)
  if (counted !== undefined) return counted
  return boundedSeconds(data.length, await factsOf())
}

/** Read from the bytes alone: what the client says of its file's type or name counts nothing. */
async function factsOf(): Promise<AudioFacts | undefined> {
  const webm = readWebm(data)
  if (webm) return webm
  try {
    const { format } = await parseBuffer(data, undefined, { duration: true, skipCovers: true })
    // Its first frames would stand for all of it.
    return format.container === 'MPEG' ? undefined : format
  } catch {
    return undefined
  }
}

parentPort?.postMessage(await secondsOf(), [])
