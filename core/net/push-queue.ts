export interface PushQueueSource {
  /** The reader has taken everything in the queue: more may be pushed. */
  onDrained(): void
  /** The reader left before the end. */
  onCancelled(): void
}

/** Turns pushed items into an async iterator for one reader. Lighter than a Readable: no events, no copies, one promise
 *  per item. The producer watches `queuedSize` and pauses its source when it grows. */
export class PushQueue<T> implements AsyncIterableIterator<T> {
  readonly #source: PushQueueSource
  readonly #items: { value: T; size: number }[] = []
  #queuedSize = 0
  #reader: { resolve(result: IteratorResult<T>): void; reject(error: unknown): void } | undefined
  #isFinished = false
  #failure: { error: unknown } | undefined

  constructor(source: PushQueueSource) {
    this.#source = source
  }

  get queuedSize(): number {
    return this.#queuedSize
  }

  /** The end was pushed, and the reader has taken everything before it. */
  get hasEnded(): boolean {
    return this.#isFinished && this.#failure === undefined && this.#items.length === 0
  }

  push(value: T, size: number): void {
    if (this.#isFinished) return
    const reader = this.#reader
    if (reader === undefined) {
      this.#items.push({ value, size })
      this.#queuedSize += size
    } else {
      this.#reader = undefined
      reader.resolve({ done: false, value })
    }
  }

  /** Ends the iteration after what is queued. */
  end(): void {
    if (this.#isFinished) return
    this.#isFinished = true
    this.#reader?.resolve({ done: true, value: undefined })
    this.#reader = undefined
  }

  /** Makes the iteration throw after what is queued, or at once with `isUrgent`. */
  fail(error: unknown, isUrgent = false): void {
    if (this.#isFinished) return
    this.#isFinished = true
    if (isUrgent) this.#forget()
    if (this.#reader === undefined) {
      this.#failure = { error }
    } else {
      this.#reader.reject(error)
      this.#reader = undefined
    }
  }

  next(): Promise<IteratorResult<T>> {
    const item = this.#items.shift()
    if (item !== undefined) {
      this.#queuedSize -= item.size
      if (this.#items.length === 0 && !this.#isFinished) this.#source.onDrained()
      return Promise.resolve({ done: false, value: item.value })
    }
    if (this.#failure !== undefined) {
      const { error } = this.#failure
      this.#failure = undefined
      return Promise.reject(error)
    }
    if (this.#isFinished) return Promise.resolve({ done: true, value: undefined })
    if (this.#reader !== undefined) {
      return Promise.reject(new Error('Only one reader at a time.'))
    }
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject }
    })
  }

  return(): Promise<IteratorResult<T>> {
    const isEarly = !this.#isFinished
    this.end()
    this.#forget()
    this.#failure = undefined
    if (isEarly) this.#source.onCancelled()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #forget(): void {
    this.#items.length = 0
    this.#queuedSize = 0
  }
}

/** Whether the next read of a body is known to be its end. Unknown, and so false, for bodies that are not a PushQueue. */
export function hasEnded(body: AsyncIterable<unknown>): boolean {
  return body instanceof PushQueue && body.hasEnded
}
