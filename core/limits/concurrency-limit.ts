interface Turn {
  /** Requests the place of this name in the priority lane. If it is taken, the work waits in the common queue. */
  lane?: string | undefined
}

/** Runs at most `count` pieces of work at a time. Up to `waiting` more wait; further ones throw the error of `refuse`.
 *  Beside the common queue there is a priority lane with one place per name, and the same size in total. */
export function concurrencyLimit(count: number, waiting: number, refuse: () => Error) {
  const queue: (() => void)[] = []
  const lane = new Map<string, () => void>()
  let running = 0

  /** A finished piece of work passes its place on directly, so that no newcomer can take it. */
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
