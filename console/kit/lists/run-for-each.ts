import { ApiError } from '../../api/client.ts'
import { messageOf } from '../../api/use-action.ts'

export interface Failure {
  name: string
  message: string
}

export interface RunWatch {
  /** Once aborted, no further row is begun. */
  signal?: AbortSignal | undefined
  /** The gateway takes no more calls from this address for so many seconds; undefined: it goes on. */
  onWait?: (seconds: number | undefined) => void
}

const parallelCalls = 4
const TOO_MANY = 429
/** Where the gateway, or a proxy before it, does not say how long. */
const USUAL_SECONDS = 10

/** Runs `work` for all rows, a few at a time, reports progress, and returns what failed. A row that is one call too many for the gateway's
 *  limit waits for its turn: more than the limit are ticked with two clicks. */
export async function runForEach<T>(
  rows: readonly T[],
  nameOf: (row: T) => string,
  work: (row: T) => Promise<unknown>,
  onProgress?: (done: number) => void,
  { signal, onWait }: RunWatch = {},
): Promise<Failure[]> {
  const failures: Failure[] = []
  const queue = [...rows]
  let done = 0
  let pause: Promise<void> | undefined
  const wait = (seconds: number) => {
    onWait?.(seconds)
    return passed(seconds * 1000, signal).then(() => {
      pause = undefined
      onWait?.(undefined)
    })
  }
  const worker = async () => {
    for (;;) {
      await pause
      const row = signal?.aborted ? undefined : queue.shift()
      if (row === undefined) return
      try {
        await work(row)
      } catch (error) {
        if (isOverLimit(error)) {
          queue.unshift(row)
          pause ??= wait(secondsOf(error))
          continue
        }
        failures.push({ name: nameOf(row), message: messageOf(error) })
      }
      done += 1
      onProgress?.(done)
    }
  }
  await Promise.all(Array.from({ length: parallelCalls }, worker))
  return failures
}

function isOverLimit(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === TOO_MANY
}

function secondsOf({ values: { seconds } }: ApiError): number {
  return typeof seconds === 'number' && seconds > 0 ? seconds : USUAL_SECONDS
}

function passed(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      window.clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = window.setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
