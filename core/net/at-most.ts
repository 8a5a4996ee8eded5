/** Runs at most `count` pieces of work at once and lets `waiting` more wait; beyond that `refuse` is thrown. */
export function atMost(count: number, waiting: number, refuse: () => Error) {
  const queue: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= count) {
      if (queue.length >= waiting) throw refuse()
      // Whoever ends hands its place over, so that nobody who comes meanwhile takes it.
      await new Promise<void>((resolve) => queue.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}
