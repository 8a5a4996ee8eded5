import type { Log } from '../observability/log.ts'

const MIB = 1_048_576
/** 300 MiB idle and up to 440 under full load, with little left for bodies (config/deploy/README.md). */
export const LEAST_BYTES = 512 * MIB

/** The system ends a process that exceeds its memory without a word, so that must be said before. */
export function warnOfLittleMemory(memoryBytes: number, log: Log): void {
  if (memoryBytes >= LEAST_BYTES) return
  const [memoryMiB, leastMiB] = [memoryBytes, LEAST_BYTES].map((bytes) => Math.floor(bytes / MIB))
  log.warn(
    { memoryMiB, leastMiB },
    'the memory of this machine or container is too little for a process: under load the system may kill it without a word',
  )
}
