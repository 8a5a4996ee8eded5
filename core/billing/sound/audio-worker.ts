// Runs in a thread of its own: a file may hold millions of the smallest parts, and its reader must stop nobody.
import { parentPort, workerData } from 'node:worker_threads'
import { fileSeconds } from './file-seconds.ts'

parentPort?.postMessage(await fileSeconds(Buffer.from(workerData as Uint8Array)), [])
