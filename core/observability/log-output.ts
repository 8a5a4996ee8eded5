// Where log lines go: stdout, whose reader may stop.
import { pino } from 'pino'

/** What waits for a reader at the most, in bytes; lines beyond are dropped. */
const MAX_WAITING = 8 * 1024 * 1024
/** How long a process that ends waits for a reader that takes nothing. */
const LAST_FLUSH_MS = 1_000

/** @param dropped is told, as soon as the reader is back, how many lines were not kept for it */
export function openLogOutput(dropped: (lines: number) => void) {
  let givenUpAtMs = Infinity
  const output = pino.destination({
    fd: process.stdout.fd || 1,
    maxLength: MAX_WAITING,
    retryEAGAIN: () => performance.now() < givenUpAtMs,
  })
  const flush = output.flushSync.bind(output)
  // Pino calls it as the process ends, and would try for ever.
  output.flushSync = () => {
    givenUpAtMs = performance.now() + LAST_FLUSH_MS
    try {
      flush()
    } catch {
      // Nobody reads: there is no other place to say so.
    } finally {
      givenUpAtMs = Infinity
    }
  }
  let lines = 0
  output.on('drop', () => (lines += 1))
  output.on('drain', () => {
    if (lines === 0) return
    const before = lines
    lines = 0
    dropped(before)
  })
  return output
}
