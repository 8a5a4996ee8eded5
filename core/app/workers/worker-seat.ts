// One of the processes that serve a port together (WORKERS), seen from inside it.
import cluster from 'node:cluster'
import type { CommonWindows } from '../../limits/rate-limits.ts'
import type { Metrics } from '../../observability/metrics.ts'
import { type FromWorker, Questions, readToWorker } from './messages.ts'

/** Longer than the supervisor waits for all workers. */
const METRICS_LIMIT_MS = 5_000
const JUDGE_LIMIT_MS = 1_000
const PORT_LIMIT_MS = 5_000

type Verdict = Awaited<ReturnType<CommonWindows['judge']>>

/** `--worker=2`: the second seat. A process that takes the place of another has its seat. */
const ARGUMENT = /^--worker=(\d{1,3})$/

export const seatArgument = (seat: number) => `--worker=${seat}`

/** Undefined in a process that stands by itself. */
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

  /** Before it listens: what answers on the port while no worker does makes room. @returns the port to ask for; undefined when nobody says */
  takePort(): Promise<number | undefined> {
    return this.#ports.ask(PORT_LIMIT_MS, (id) => say({ kind: 'take-port', id }))
  }

  /** @param serve called when all workers listen */
  listening(address: string, serve: () => void): void {
    this.#serve = serve
    say({ kind: 'listening', address })
  }

  /** Counted where all workers of this machine are counted. */
  readonly windows: CommonWindows = {
    judge: (key, limit, windowSeconds, isCounted) =>
      this.#verdicts.ask(JUDGE_LIMIT_MS, (id) =>
        say({ kind: 'judge', id, key, limit, windowSeconds, isCounted }),
      ),
    giveBack: (key) => say({ kind: 'give-back', key }),
  }

  /** Hands the figures of this process to the supervisor, which puts those of all together. */
  share(own: Metrics): Metrics {
    this.#own = own
    const ask = (id: number) => say({ kind: 'ask-metrics', id })
    return {
      contentType: own.contentType,
      text: async () => (await this.#texts.ask(METRICS_LIMIT_MS, ask)) ?? own.text(),
    }
  }

  /** The supervisor is gone, and with it the port. Node would end this process at once, with its answers half written. */
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

/** To nobody where the supervisor is gone. */
function say(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}
