import { AppError } from '../contract/errors.ts'

/** For a person in front of a terminal: where to go. A log file gets the structured line alone. */
export function greet(address: string, output: NodeJS.WriteStream = process.stdout): void {
  if (!output.isTTY) return
  const shown = address.replace('//127.0.0.1:', '//localhost:')
  output.write(`\n  Tollgate is running at ${shown}\n  Ctrl-C ends it.\n\n`)
}

const lookEveryMs = 500

/**
 * `npm start` puts itself and a shell before this process and tells a signal to the shell alone: when that is gone, so is
 * whoever would stop this process.
 */
export function endWithParent(stop: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, lookEveryMs)
  timer.unref()
}

/** For the operator: what a client may not know, such as that the disk is full, stands in the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof AppError) || !(error.cause instanceof Error)) return error.message
  return `${error.message} (${error.cause.message})`
}
