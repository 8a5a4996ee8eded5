// Starts the processes that share a port (WORKERS), replaces those that die, and stops them all.
import cluster, { type Worker } from 'node:cluster'
import { listenForScrapers } from '../../http/metrics-listener.ts'
import { MemoryWindows } from '../../limits/memory-windows.ts'
import type { Log } from '../../observability/log.ts'
import { WORKER_END_MS } from '../shutdown-times.ts'
import { closeLostHandovers } from './lost-handovers.ts'
import { readFromWorker, type ToWorker } from './messages.ts'
import { WorkerMetrics } from './worker-metrics.ts'
import { StandIn } from './stand-in.ts'
import { seatArgument } from './worker-seat.ts'

/** Pause before the first of several restarts in a row; each further one doubles it. */
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** A worker that has run for this long counts as healthy, and its end as a new failure. */
const SOUND_AFTER_MS = 60_000

export interface SupervisorInput {
  workers: number
  /** 0 lets the system choose. */
  port: number
  /** How long open answers may take at the end. */
  shutdownMs: number
  /** Port on the loopback interface; 0: none. */
  metricsPort: number
  host: string
  log: Log
}

export interface Seat {
  readonly number: number
  worker: Worker | undefined
  isListening: boolean
  restarts: number
  /** How often in a row a worker has ended soon after its start. */
  shortLives: number
  startedAtMs: number
  pause: NodeJS.Timeout | undefined
}

export class Supervisor {
  readonly #input: SupervisorInput
  readonly #seats: Seat[]
  readonly #windows = new MemoryWindows(() => performance.now())
  readonly #metrics: WorkerMetrics
  readonly #standIn = new StandIn()
  readonly #started = Promise.withResolvers<string>()
  readonly #over = Promise.withResolvers<void>()
  #scrapers: { close(): Promise<void> } | undefined
  #phase: 'starting' | 'serving' | 'stopping' = 'starting'
  #exitCode = 0
  /** The port that all workers listen on. */
  #port = 0
  /** The port that workers ask node:cluster for. Workers that ask for the same port share one socket. If the system
   *  chooses the port, that is 0 as long as one of these workers lives, and the real port after all have ended, because
   *  asking for 0 again would give another port. */
  #requestedPort: number

  constructor(input: SupervisorInput) {
    this.#input = input
    this.#requestedPort = input.port
    this.#seats = Array.from({ length: input.workers }, (_, index) => newSeat(index + 1))
    this.#metrics = new WorkerMetrics(this.#seats, say)
  }

  /** The first worker migrates the tables; the others start when it listens.
   *  @returns the address, when all listen
   *  @throws Error if one of them ended; the others were stopped before */
  async start(): Promise<string> {
    const { metricsPort } = this.#input
    try {
      if (metricsPort > 0) this.#scrapers = await listenForScrapers(metricsPort, this.#metrics)
      const [first] = this.#seats
      if (first && this.#phase === 'starting') this.#fork(first)
      return await this.#started.promise
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** Lets all workers finish their answers; a worker that does not end is killed.
   *  @returns the exit code: 0 if each has ended normally */
  async stop(): Promise<number> {
    if (this.#phase !== 'stopping') {
      this.#phase = 'stopping'
      this.#standIn.close()
      for (const { worker, pause } of this.#seats) {
        clearTimeout(pause)
        worker?.process.kill('SIGTERM')
      }
      this.#countLiving()
    }
    const limit = setTimeout(() => this.#killAll(), this.#input.shutdownMs + WORKER_END_MS)
    await this.#over.promise
    clearTimeout(limit)
    await this.#scrapers?.close()
    return this.#exitCode
  }

  #killAll(): void {
    this.#input.log.error('workers that did not end in time were killed')
    for (const { worker } of this.#seats) worker?.process.kill('SIGKILL')
  }

  #fork(seat: Seat): void {
    const own = process.argv.slice(2).filter((word) => word !== '--end-with-parent')
    cluster.setupPrimary({ args: [...own, seatArgument(seat.number)] })
    const worker = cluster.fork()
    closeLostHandovers(worker)
    Object.assign(seat, {
      worker,
      isListening: false,
      startedAtMs: performance.now(),
      pause: undefined,
    })
    worker.on('message', (message: unknown) => this.#hear(seat, message))
    worker.on('error', (error) =>
      this.#input.log.error({ err: error, worker: seat.number }, 'a worker could not be told'),
    )
    worker.once('exit', (code, signal) => this.#ended(seat, code, signal))
  }

  #hear(seat: Seat, raw: unknown): void {
    const message = readFromWorker(raw)
    switch (message?.kind) {
      case 'listening':
        return this.#listens(seat, message.address)
      case 'take-port':
        this.#standIn.close()
        return say(seat, { kind: 'port-free', id: message.id, port: this.#requestedPort })
      case 'own-metrics':
        return this.#metrics.answer(message.id, message.text)
      case 'ask-metrics':
        void this.#metrics
          .text()
          .then((text) => say(seat, { ...message, kind: 'all-metrics', text }))
        return
      case 'give-back':
        return this.#windows.giveBack(message.key, message.at)
      case 'judge': {
        const { id, key, limit, windowSeconds, isCounted } = message
        const verdict = this.#windows.judge(key, limit, windowSeconds, isCounted)
        say(seat, { kind: 'verdict', id, ...verdict })
      }
    }
  }

  #listens(seat: Seat, address: string): void {
    seat.isListening = true
    if (this.#phase === 'serving') say(seat, { kind: 'serve' })
    if (this.#phase !== 'starting') return
    for (const other of this.#seats) if (other.worker === undefined) this.#fork(other)
    if (this.#seats.every(({ isListening }) => isListening)) this.#serve(address)
  }

  #serve(address: string): void {
    this.#phase = 'serving'
    this.#port = Number(new URL(address).port)
    for (const seat of this.#seats) say(seat, { kind: 'serve' })
    this.#input.log.info({ address, workers: this.#seats.length }, 'listening')
    this.#started.resolve(address)
  }

  #ended(seat: Seat, code: number | null, signal: string | null): void {
    const wasListening = seat.isListening
    Object.assign(seat, { worker: undefined, isListening: false })
    const end = signal ?? `code ${code}`
    if (this.#phase === 'serving') return this.#restartLater(seat, end)
    // A worker that gets the signal before it can handle signals has ended as asked.
    const isAsked = code === 0 || (signal === 'SIGTERM' && !wasListening)
    if (!isAsked) this.#exitCode = 1
    this.#countLiving()
    if (this.#phase === 'starting')
      this.#started.reject(
        new Error(`worker ${seat.number} ended with ${end}; what it said stands above`),
      )
  }

  #restartLater(seat: Seat, end: string): void {
    const isShort = performance.now() - seat.startedAtMs < SOUND_AFTER_MS
    seat.shortLives = isShort ? seat.shortLives + 1 : 1
    seat.restarts += 1
    const pauseMs = restartPauseMs(seat.shortLives)
    this.#input.log.error(
      { worker: seat.number, end, pauseMs },
      'a worker ended; another takes its place',
    )
    seat.pause = setTimeout(() => this.#fork(seat), pauseMs)
    if (this.#seats.some(({ isListening }) => isListening)) return
    this.#input.log.error('no worker serves: calls are answered 503 until one does')
    this.#requestedPort = this.#port
    this.#standIn.open(this.#input.host, this.#port)
  }

  #countLiving(): void {
    if (this.#phase === 'stopping' && this.#seats.every(({ worker }) => worker === undefined))
      this.#over.resolve()
  }
}

/** @param shortLives early ends in a row, including the last one */
export function restartPauseMs(shortLives: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (shortLives - 1))
}

function newSeat(number: number): Seat {
  return {
    number,
    worker: undefined,
    isListening: false,
    restarts: 0,
    shortLives: 0,
    startedAtMs: 0,
    pause: undefined,
  }
}

function say({ worker }: Seat, message: ToWorker): void {
  if (worker?.isConnected()) worker.send(message, () => undefined)
}
