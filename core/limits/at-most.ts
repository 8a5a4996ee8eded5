interface Turn {
  /** Asks for a place in the lane of those who go first. Whoever has one already stands in the line of all. */
  lane?: string | undefined
}

/**
 * Runs at most `count` pieces of work at once and lets `waiting` more wait; beyond that `refuse` is thrown. Beside the line of all is
 * a lane that goes first, with one place for each name and as many in all.
 */
export function atMost(count: number, waiting: number, refuse: () => Error) {
  const queue: (() => void)[] = []
  const lane = new Map<string, () => void>()
  let running = 0

  /** Whoever ends hands its place over, so that nobody who comes meanwhile takes it. */
  function end(): void {
    const [first] = lane
    if (first) lane.delete(first[0])
    const next = first ? first[1] : queue.shift()
    if (next) next()
    else running -= 1
  }

  function wait(name: string | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (name !== undefined && !lane.has(name) && lane.size < waiting) lane.set(name, resolve)
    else if (queue.length < waiting) queue.push(resolve)
    else throw refuse()
    return promise
  }

  return async <T>(work: () => Promise<T>, { lane: name }: Turn = {}): Promise<T> => {
    if (running >= count) await wait(name)
    else running += 1
    try {
      return await work()
    } finally {
      end()
    }
  }
}
