export interface FixedClock {
  now(): Date
  /** Moves the clock forward by this many milliseconds. */
  advance(milliseconds: number): void
}

/** A clock that stands still until a test moves it. */
export function fixedClock(start: string | number = '2026-01-02T03:04:05Z'): FixedClock {
  let current = new Date(start).getTime()
  return {
    now: () => new Date(current),
    advance: (milliseconds) => {
      current += milliseconds
    },
  }
}

/** Measures the processor time of this thread in milliseconds, which other work on the machine does not change. */
export function processorTime(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
}
