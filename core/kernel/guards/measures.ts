// Measures plugins' hooks: calls, errors, time. A hook of an external plugin that delays calls and keeps failing, or that
// keeps the process busy, is parked.
import { AppError } from '../../contract/errors.ts'
import type { HookFigures } from '../../contract/plugin-row.ts'
import type { Logger } from '../../contract/services.ts'
import { BlockingTime } from './blocking-time.ts'
import { detailOf } from '../plugin-fault.ts'
import { TooLate } from '../with-timeout.ts'

/** Consecutive failures after which a hook is parked. */
const MOST_FAILURES = 10
/** For a hook that is called many times per answer: this many consecutive successes reset its failures. */
const GOOD_PARTS = 50

interface Limits {
  limitMs?: number
  /** Whether it may be parked when it keeps failing. */
  mayPark?: boolean
  /** Whether it may be parked when it keeps the process busy; default: `mayPark`. */
  mayParkBlocking?: boolean
}

/** The measures of this process. Generations share it, so that a swap loses nothing. */
export class Measures {
  readonly #meters = new Map<string, Map<string, Meter>>()
  readonly #log: Pick<Logger, 'error'> | undefined

  constructor(log?: Pick<Logger, 'error'>) {
    this.#log = log
  }

  meter(owner: string, point: string, id: string, limits: Limits = {}): Meter {
    const own = this.#meters.get(owner) ?? new Map<string, Meter>()
    this.#meters.set(owner, own)
    const key = `${point} ${id}`
    const known = own.get(key)
    if (known) return known
    const meter = new Meter(point, id, limits, (error) =>
      this.#log?.error(
        { err: error, plugin: owner, point, id },
        'a hook of a plugin keeps failing and is no longer called: fix the plugin, then unpark it',
      ),
    )
    own.set(key, meter)
    return meter
  }

  figures(owner: string): HookFigures[] {
    return [...(this.#meters.get(owner)?.values() ?? [])].map((meter) => meter.figures())
  }

  /** Calls the plugin's parked hooks again. */
  unpark(owner: string): void {
    for (const meter of this.#meters.get(owner)?.values() ?? []) meter.unpark()
  }
}

export class Meter {
  readonly #point: string
  readonly #id: string
  readonly #limits: Limits
  readonly #onPark: (error: unknown) => void
  #calls = 0
  #errors = 0
  #late = 0
  #totalMs = 0
  #longestMs = 0
  #inARow = 0
  /** Only where they may park it: two readings of the clock for each question would be paid by every call. */
  readonly #blocks: BlockingTime | undefined
  #goodParts = 0
  #lastError = ''
  isParked = false

  constructor(point: string, id: string, limits: Limits, onPark: (error: unknown) => void) {
    this.#point = point
    this.#id = id
    this.#limits = limits
    this.#onPark = onPark
    const { mayPark, mayParkBlocking = mayPark } = limits
    this.#blocks = mayParkBlocking ? new BlockingTime() : undefined
  }

  /** Runs the work and counts it. Passes on its result or error; a refusal (AppError) does not count as an error. */
  run<T>(work: () => T): T {
    const start = performance.now()
    let result: T
    try {
      result = work()
    } catch (error) {
      this.#judgeBlock(start)
      this.#end(start, error)
      throw error
    }
    this.#judgeBlock(start)
    if (result instanceof Promise) return this.#watched(result, start) as T
    this.#end(start)
    return result
  }

  /** The same for a part of an answer, synchronous: one success says little about the whole answer. */
  runPart<T>(work: () => T): T {
    const start = performance.now()
    try {
      const result = work()
      this.#judgeBlock(start)
      this.#endPart(start)
      return result
    } catch (error) {
      this.#judgeBlock(start)
      this.#end(start, error)
      throw error
    }
  }

  /** Asks whether the hook is called at all, which is counted only if it takes long. */
  ask<Q, T>(wants: (question: Q) => T, question: Q): T {
    if (!this.#blocks) return wants(question)
    const start = performance.now()
    try {
      return wants(question)
    } finally {
      this.#judgeBlock(start)
    }
  }

  figures(): HookFigures {
    return {
      point: this.#point,
      id: this.#id,
      calls: this.#calls,
      errors: this.#errors,
      late: this.#late,
      total_ms: rounded(this.#totalMs),
      longest_ms: rounded(this.#longestMs),
      is_parked: this.isParked,
      last_error: this.#lastError,
    }
  }

  unpark(): void {
    this.isParked = false
    this.#inARow = 0
    this.#blocks?.clear()
  }

  #judgeBlock(start: number): void {
    const tooMuch = this.#blocks?.add(start, performance.now() - start)
    if (tooMuch) this.#park(tooMuch)
  }

  async #watched<T>(result: Promise<T>, start: number): Promise<T> {
    try {
      const value = await result
      this.#end(start)
      return value
    } catch (error) {
      this.#end(start, error)
      throw error
    }
  }

  #end(start: number, error?: unknown): void {
    const ms = this.#note(start)
    const isRefusal = error instanceof AppError || error instanceof TooLate
    const isFault = error !== undefined && !isRefusal
    if (isFault) {
      this.#errors += 1
      this.#lastError = detailOf(error)
    }
    const isLate = error instanceof TooLate || this.#isLate(ms)
    if (isLate) this.#late += 1
    if (isFault || isLate) this.#count(error ?? tookTooLong(ms))
    else this.#inARow = 0
  }

  #endPart(start: number): void {
    const ms = this.#note(start)
    if (this.#isLate(ms)) {
      this.#late += 1
      return this.#count(tookTooLong(ms))
    }
    this.#goodParts += 1
    if (this.#goodParts >= GOOD_PARTS) this.#inARow = 0
  }

  #note(start: number): number {
    const ms = performance.now() - start
    this.#calls += 1
    this.#totalMs += ms
    if (ms > this.#longestMs) this.#longestMs = ms
    return ms
  }

  #isLate(ms: number): boolean {
    return ms > (this.#limits.limitMs ?? Infinity)
  }

  #count(error: unknown): void {
    this.#goodParts = 0
    this.#inARow += 1
    if (this.#limits.mayPark && this.#inARow >= MOST_FAILURES) this.#park(error)
  }

  #park(error: unknown): void {
    if (this.isParked) return
    this.isParked = true
    this.#onPark(error)
  }
}

function tookTooLong(ms: number): Error {
  return new Error(`it took ${Math.round(ms)} ms`)
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
