import type { Job } from '../contract/plugin.ts'
import type { Logger } from '../contract/services.ts'

/** Share of the period by which each start is shifted at random, so that the nodes of a cluster do not start together. */
const jitter = 0.1
/** A job with period 0 is switched off; after this time it is checked whether it was switched on. */
const recheckMs = 60_000
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
      let timer: NodeJS.Timeout | undefined
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeLimitMs)
      })
      await Promise.race([Promise.all(stops), limit])
      clearTimeout(timer)
    },
  }
}

class RunningJob {
  readonly #job: Job
  readonly #owner: string
  readonly #log: Logger
  readonly #leaderLock: ScheduleDependencies['leaderLock']
  readonly #random: () => number
  readonly #stopped = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #run: Promise<void> = Promise.resolve()

  constructor(job: Job, owner: string, { log, leaderLock, random }: ScheduleDependencies) {
    this.#job = job
    this.#owner = owner
    this.#log = log
    this.#leaderLock = leaderLock
    this.#random = random ?? Math.random
    this.#wait(0)
  }

  /** Resolves when a run under way has ended. */
  stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#stopped.abort(new Error('The job was stopped.'))
    return this.#run
  }

  /** @param spentMs of the period, by the run before: the period is from start to start */
  #wait(spentMs: number): void {
    if (this.#stopped.signal.aborted) return
    const period = this.#period()
    const isOn = period > 0 && Number.isFinite(period)
    const moved = period * (1 + jitter * (2 * this.#random() - 1))
    const delay = isOn ? Math.max(0, moved - spentMs) : recheckMs
    this.#timer = setTimeout(
      () => {
        if (isOn) this.#run = this.#once()
        else this.#wait(0)
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
    let signal: AbortSignal | undefined
    try {
      signal = await this.#signal()
      if (signal !== undefined && !signal.aborted) await this.#job.run(signal)
    } catch (error) {
      // An error because the run was told to stop, or because another node leads, is not a fault.
      if (signal?.aborted !== true && !this.#stopped.signal.aborted)
        this.#blame(error, 'a job failed')
    }
    this.#wait(performance.now() - start)
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
