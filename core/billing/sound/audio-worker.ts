// Runs in a thread of its own, because reading a file with millions of tiny parts takes long.
import { parentPort, workerData } from 'node:worker_threads'
import { fileSeconds } from './file-seconds.ts'

parentPort?.postMessage(await fileSeconds(Buffer.from(workerData as Uint8Array)), [])
