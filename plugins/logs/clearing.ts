// Deletes old rows in the background. The page may be closed meanwhile, and another process finishes what a process
// that ended had begun. One row of a table holds the state.
import { randomUUID } from 'node:crypto'
import { errorType, type PluginServices } from '#core'
import {
  beginClearing,
  cancelClearing,
  claimClearing,
  noteCancelled,
  noteClearing,
  readClearing,
} from './clearing-sql.ts'
import type { Clearing } from './schema.ts'

/** Time between two notes of the progress. */
const NOTE_MS = 2_000
/** A clearing without a note for this long has lost its process. */
const SILENT_SECONDS = 60

const isRunning = errorType('logs.clearing_runs', 409, {
  en: 'Logs are being cleared already. Wait until that has ended.',
  zh: '正在清除日志，请等待其完成。',
})

const goesOn = errorType('logs.clearing_goes_on', 503, {
  en: 'The gateway is stopping before the clearing is finished. It continues by itself.',
  zh: '网关正在停止，清除尚未完成，稍后会自动继续。',
})

const givenUp = errorType<{ count: number }>('logs.clearing_stopped', 409, {
  en: 'The clearing was stopped, or another node goes on with it. {count} logs were cleared so far.',
  zh: '清除已被停止或由其他节点继续，目前已清除 {count} 条日志。',
})

type Services = Pick<PluginServices, 'database' | 'usageLog' | 'log'>

interface Ended {
  cleared: number
  /** Why the deletion ended before all rows were gone. */
  fault: unknown
  /** Somebody has stopped it, or another process has taken it over. */
  isGivenUp: boolean
}

export class LogClearing {
  readonly #services: Services
  readonly #stopped = new AbortController()
  #run: Promise<unknown> = Promise.resolve()
  /** Aborted where the clearing is no longer this process's. */
  #lost = new AbortController()

  constructor(services: Services) {
    this.#services = services
  }

  /** The clearing that was begun last. */
  async last(): Promise<Clearing | null> {
    const clearing = await readClearing(this.#services.database)
    return clearing === undefined || clearing.state === ''
      ? null
      : { ...clearing, state: clearing.state }
  }

  /** Begins a clearing and returns at once. Rows that are written from now on stay.
   *  @throws logs.clearing_runs */
  async begin(target: number, username: string): Promise<void> {
    if (!(await this.#start(target, username))) throw isRunning({})
  }

  /** Deletes rows and returns their number at the end. It also runs beside a recorded clearing.
   *  @throws logs.clearing_goes_on, logs.clearing_stopped */
  async clear(target: number, username: string): Promise<number> {
    const run = await this.#start(target, username)
    if (run === undefined) return this.#services.usageLog.deleteBefore(endOf(target))
    const { cleared, fault, isGivenUp } = await run.ended
    // A deletion that is told to stop between two slices returns what it has deleted.
    if (isGivenUp) throw givenUp({ count: cleared })
    if (this.#stopped.signal.aborted) throw goesOn({})
    if (fault !== undefined) throw fault
    return cleared
  }

  /** Stops the clearing, on whichever node; what is deleted stays deleted. Does nothing where none runs. */
  async cancel(): Promise<void> {
    if (await cancelClearing(this.#services.database, { now: secondsNow() })) this.#lost.abort()
  }

  /** Undefined while another clearing runs. */
  async #start(target: number, username: string): Promise<{ ended: Promise<Ended> } | undefined> {
    const claim = randomUUID()
    const values = { target: endOf(target), username, claim, now: secondsNow() }
    if (!(await beginClearing(this.#services.database, values))) return undefined
    const ended = this.#work(claim, { target_timestamp: values.target, cleared: 0 })
    this.#run = ended
    return { ended }
  }

  /** Continues the clearing of a process that has ended. */
  async resume(): Promise<void> {
    const { database } = this.#services
    if ((await readClearing(database))?.state !== 'running') return
    const claim = randomUUID()
    const values = { claim, now: secondsNow(), silence: SILENT_SECONDS }
    if (!(await claimClearing(database, values))) return
    const left = await readClearing(database)
    if (left === undefined) return
    this.#run = this.#work(claim, left)
    await this.#run
  }

  /** Lets another process continue at once. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#run
  }

  /** Runs without a caller that waits: a failure is logged and noted. */
  async #work(
    claim: string,
    { target_timestamp: target, cleared: before }: Pick<Clearing, 'target_timestamp' | 'cleared'>,
  ): Promise<Ended> {
    const { database, usageLog, log } = this.#services
    let cleared = before
    let fault: unknown
    const lost = new AbortController()
    this.#lost = lost
    const note = (state: Clearing['state'], seen = secondsNow()) =>
      noteClearing(database, { claim, cleared, state, seen, ended: state === 'running' ? 0 : seen })
    const timer = setInterval(() => {
      note('running').then(
        (isOurs) => isOurs || lost.abort(),
        () => undefined,
      )
    }, NOTE_MS)
    const watch = {
      signal: AbortSignal.any([this.#stopped.signal, lost.signal]),
      onProgress: (count: number) => {
        cleared = before + count
      },
    }
    let state: Clearing['state'] = 'done'
    try {
      await usageLog.deleteBefore(target, undefined, watch)
    } catch (error) {
      fault = error
      state = 'stopped'
      if (!watch.signal.aborted) log.error({ err: error, cleared }, 'clearing the log broke off')
    }
    clearInterval(timer)
    // If the note cannot be written, another process continues after this one has been silent for long enough.
    await (watch.signal.aborted ? note('running', 0) : note(state)).catch((error: unknown) =>
      log.error({ err: error }, 'how a clearing of the log ended cannot be noted'),
    )
    if (lost.signal.aborted)
      await noteCancelled(database, { claim, cleared }).catch(() => undefined)
    return { cleared, fault, isGivenUp: lost.signal.aborted }
  }
}

/** Rows that are written from now on stay: on a busy gateway the deletion would never end. */
export function endOf(target: number): number {
  return Math.min(target, secondsNow() + 1)
}

function secondsNow(): number {
  return Math.floor(Date.now() / 1000)
}
