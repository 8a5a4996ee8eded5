import { performance as eventLoop } from 'node:perf_hooks'
import type { Job } from '../contract/plugin.ts'
import type { Logger } from '../contract/services.ts'
import { withTimeout } from './with-timeout.ts'

/** Share of the period by which each start is shifted at random, so that the nodes of a cluster do not start together. */
const jitter = 0.1
/** A job with period 0 is switched off; after this time it is checked whether it was switched on. */
const recheckMs = 60_000
/** A run that kept the event loop busy for longer is followed by as much time for others, whatever its period is. */
const longBusyMs = 50
/** setTimeout's own limit. */
const longestTimerMs = 2 ** 31 - 1
/** How long `close` waits for runs that do not heed their signal. */
const closeLimitMs = 10_000

export interface ScheduleDependencies {
  log: Logger
  /** Returns the signal of this node's term as leader, or undefined while another node leads. */
  leaderLock: { acquire(): Promise<AbortSignal | undefined> }
  /** From 0 to 1. */
  random?: () => number
  /** For how long the event loop has been busy so far. */
  busyMs?: () => number
}

export interface Schedule {
  /** Runs the job one period from now and then every period, never twice at once. The disposer aborts a current run. */
  start(job: Job, owner?: string): () => void
  /** Aborts all runs and waits for their ends. */
  close(): Promise<void>
}

export function createSchedule(dependencies: ScheduleDependencies): Schedule {
  const running = new Set<RunningJob>()
  return {
    start: (job, owner = 'core') => {
      const entry = new RunningJob(job, owner, dependencies)
      running.add(entry)
      return () => {
        running.delete(entry)
        void entry.stop()
      }
    },
    close: async () => {
      const stops = [...running].map((entry) => entry.stop())
      running.clear()
      await withTimeout(closeLimitMs, 'the end of jobs', Promise.all(stops)).catch(() => undefined)
    },
  }
}

class RunningJob {
  readonly #job: Job
  readonly #owner: string
  readonly #log: Logger
  readonly #leaderLock: ScheduleDependencies['leaderLock']
  readonly #random: () => number
  readonly #busyMs: () => number
  readonly #stopped = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #run: Promise<void> = Promise.resolve()

  constructor(job: Job, owner: string, dependencies: ScheduleDependencies) {
    this.#job = job
    this.#owner = owner
    this.#log = dependencies.log
    this.#leaderLock = dependencies.leaderLock
    this.#random = dependencies.random ?? Math.random
    this.#busyMs = dependencies.busyMs ?? (() => eventLoop.eventLoopUtilization().active)
    this.#wait({ spentMs: 0, leastMs: 0 })
  }

  /** Resolves when a run under way has ended. */
  stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#stopped.abort(new Error('The job was stopped.'))
    return this.#run
  }

  /** @param spentMs of the period, by the run before: the period is from start to start
   *  @param leastMs how long to wait in any case */
  #wait({ spentMs, leastMs }: { spentMs: number; leastMs: number }): void {
    if (this.#stopped.signal.aborted) return
    const period = this.#period()
    const isOn = period > 0 && Number.isFinite(period)
    const moved = period * (1 + jitter * (2 * this.#random() - 1))
    const delay = isOn ? Math.max(leastMs, moved - spentMs) : recheckMs
    this.#timer = setTimeout(
      () => {
        if (isOn) this.#run = this.#once()
        else this.#wait({ spentMs: 0, leastMs: 0 })
      },
      Math.min(delay, longestTimerMs),
    ).unref()
  }

  #period(): number {
    const { everyMs } = this.#job
    if (typeof everyMs === 'number') return everyMs
    try {
      return everyMs()
    } catch (error) {
      this.#blame(error, 'the period of a job cannot be read')
      return 0
    }
  }

  async #once(): Promise<void> {
    const start = performance.now()
    const busyBefore = this.#busyMs()
    let signal: AbortSignal | undefined
    try {
      signal = await this.#signal()
      if (signal !== undefined && !signal.aborted) await this.#job.run(signal)
    } catch (error) {
      // An error because the run was told to stop, or because another node leads, is not a fault.
      if (signal?.aborted !== true && !this.#stopped.signal.aborted)
        this.#blame(error, 'a job failed')
    }
    const busy = this.#busyMs() - busyBefore
    this.#wait({ spentMs: performance.now() - start, leastMs: busy > longBusyMs ? busy : 0 })
  }

  #blame(error: unknown, what: string): void {
    this.#log.error({ err: error, job: this.#job.id, plugin: this.#owner }, what)
  }

  async #signal(): Promise<AbortSignal | undefined> {
    const stopped = this.#stopped.signal
    if (this.#job.isLeaderOnly !== true) return stopped
    const term = await this.#leaderLock.acquire()
    return term === undefined ? undefined : AbortSignal.any([stopped, term])
  }
}
