import { Worker } from 'node:worker_threads'
import { mostSeconds } from './audio-bounds.ts'

/** A file of 25 MB takes well under a second. */
const LONGEST_MS = 5_000
/** Each holds a copy of its file. */
const MOST_WORKERS = 2
const MOST_HEAP_MB = 128

let running = 0
const waiting: (() => void)[] = []

/** The length of an audio file by its frames, or the upper bound if it cannot be read. */
export async function audioSeconds(data: Uint8Array): Promise<number> {
  // A worker that ends hands its place to the next one waiting, so that no other can take it in between.
  if (running >= MOST_WORKERS) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return (await readInWorker(data)) ?? mostSeconds(data.length)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** Undefined if it took too long or the reader failed. */
async function readInWorker(data: Uint8Array): Promise<number | undefined> {
  const copy = new Uint8Array(data)
  const worker = new Worker(new URL('./audio-worker.ts', import.meta.url), {
    workerData: copy,
    transferList: [copy.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<number | undefined>((resolve) => {
      timer = setTimeout(resolve, LONGEST_MS, undefined)
      worker.once('message', resolve)
      worker.once('error', () => resolve(undefined))
      worker.once('exit', () => resolve(undefined))
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
