// A worker process (WORKERS), seen from the inside.
import cluster from 'node:cluster'
import type { CommonWindows } from '../../limits/rate-limits.ts'
import type { Metrics } from '../../observability/metrics.ts'
import { type FromWorker, Questions, readToWorker } from './messages.ts'

/** Longer than the supervisor waits for all workers. */
const METRICS_LIMIT_MS = 5_000
const JUDGE_LIMIT_MS = 1_000
const PORT_LIMIT_MS = 5_000

type Verdict = Awaited<ReturnType<CommonWindows['judge']>>

/** `--worker=2`: the second seat. A replacement takes over the seat of the worker that it replaces. */
const ARGUMENT = /^--worker=(\d{1,3})$/

export const seatArgument = (seat: number) => `--worker=${seat}`

/** Undefined in a process that is not a worker. */
export function takeSeat(args: readonly string[] = process.argv): WorkerSeat | undefined {
  const number = args.map((word) => ARGUMENT.exec(word)?.[1]).find((text) => text !== undefined)
  return cluster.isWorker && number !== undefined ? new WorkerSeat(Number(number)) : undefined
}

export class WorkerSeat {
  readonly number: number
  readonly #verdicts = new Questions<Verdict>()
  readonly #texts = new Questions<string>()
  readonly #ports = new Questions<number>()
  #own: Metrics | undefined
  #serve: () => void = () => undefined

  constructor(number: number) {
    this.number = number
    process.on('message', (message) => this.#hear(message))
  }

  /** Called before the worker listens: the stand-in then frees the port. @returns the port to ask for; undefined if the
   *  supervisor does not answer */
  takePort(): Promise<number | undefined> {
    return this.#ports.ask(PORT_LIMIT_MS, (id) => say({ kind: 'take-port', id }))
  }

  /** @param serve called when all workers listen */
  listening(address: string, serve: () => void): void {
    this.#serve = serve
    say({ kind: 'listening', address })
  }

  /** Counts in the supervisor, for all workers of this machine. */
  readonly windows: CommonWindows = {
    judge: (key, limit, windowSeconds, isCounted) =>
      this.#verdicts.ask(JUDGE_LIMIT_MS, (id) =>
        say({ kind: 'judge', id, key, limit, windowSeconds, isCounted }),
      ),
    giveBack: (key, at) => say({ kind: 'give-back', key, ...(at === undefined ? {} : { at }) }),
  }

  /** Sends the metrics of this process to the supervisor, which combines those of all workers. */
  share(own: Metrics): Metrics {
    this.#own = own
    const ask = (id: number) => say({ kind: 'ask-metrics', id })
    return {
      contentType: own.contentType,
      text: async () => (await this.#texts.ask(METRICS_LIMIT_MS, ask)) ?? own.text(),
    }
  }

  /** The supervisor has ended, and the port with it. By default Node would end this process at once, in the middle of its answers. */
  onOrphaned(stop: () => void): void {
    const { worker } = cluster
    worker?.once('disconnect', () => {
      worker.exitedAfterDisconnect = true
      stop()
    })
  }

  #hear(raw: unknown): void {
    const message = readToWorker(raw)
    switch (message?.kind) {
      case 'serve':
        return this.#serve()
      case 'port-free':
        return this.#ports.answer(message.id, message.port)
      case 'verdict':
        return this.#verdicts.answer(message.id, message)
      case 'all-metrics':
        return this.#texts.answer(message.id, message.text)
      case 'tell-metrics':
        void this.#own?.text().then((text) => say({ kind: 'own-metrics', id: message.id, text }))
    }
  }
}

/** Does nothing if the supervisor has ended. */
function say(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}
