// Combines the metrics of all workers into one text. Each worker keeps its own series, with the label `worker`: a sum
// would drop when a worker is replaced, which scrapers take for a restarted counter, and gauges such as the number of
// channels would be added up.
import { Registry } from 'prom-client'
import type { Metrics } from '../../observability/metrics.ts'
import { counter, gauge } from '../../observability/sampled-metric.ts'
import { Questions, type ToWorker } from './messages.ts'
import type { Seat } from './supervisor.ts'

/** A worker that does not answer in time is left out. */
const ANSWER_LIMIT_MS = 3_000

export class WorkerMetrics implements Metrics {
  readonly #seats: readonly Seat[]
  readonly #say: (seat: Seat, message: ToWorker) => void
  readonly #questions = new Questions<string>()
  readonly #own: Registry

  constructor(seats: readonly Seat[], say: (seat: Seat, message: ToWorker) => void) {
    this.#seats = seats
    this.#say = say
    this.#own = supervisorRegistry(seats)
  }

  get contentType(): string {
    return this.#own.contentType
  }

  async text(): Promise<string> {
    const answers = this.#seats
      .filter(({ isListening }) => isListening)
      .map((seat) =>
        this.#questions.ask(ANSWER_LIMIT_MS, (id) => this.#say(seat, { kind: 'tell-metrics', id })),
      )
    const texts = (await Promise.all(answers)).filter((text) => text !== undefined)
    return mergeTexts([...texts, await this.#own.metrics()])
  }

  answer(id: number, text: string): void {
    this.#questions.answer(id, text)
  }
}

function supervisorRegistry(seats: readonly Seat[]): Registry {
  const ofSeats = (valueOf: (seat: Seat) => number) => () =>
    seats.map((seat) => ({ labels: { worker: `${seat.number}` }, value: valueOf(seat) }))
  const registry = new Registry()
  registry.registerMetric(
    gauge(
      'tollgate_worker_up',
      '1 for a worker that listens.',
      ofSeats(({ isListening }) => (isListening ? 1 : 0)),
      ['worker'],
    ),
  )
  registry.registerMetric(
    counter(
      'tollgate_worker_restarts_total',
      'Workers that took the place of one that ended.',
      ofSeats(({ restarts }) => restarts),
      ['worker'],
    ),
  )
  return registry
}

/** The format requires all samples of a metric in one place, after its HELP and TYPE
 *  (prometheus.io/docs/instrumenting/exposition_formats). */
export function mergeTexts(texts: readonly string[]): string {
  const metrics = new Map<string, { head: string[]; samples: string[] }>()
  for (const block of texts.flatMap((text) => text.split(/^(?=# HELP )/m))) {
    const lines = block.split('\n').filter((line) => line !== '')
    const head = lines.filter((line) => line.startsWith('#'))
    const name = head[0]?.split(' ', 3)[2]
    if (name === undefined) continue
    const metric = metrics.get(name) ?? { head, samples: [] }
    metric.samples.push(...lines.slice(head.length))
    metrics.set(name, metric)
  }
  return [...metrics.values()]
    .map(({ head, samples }) => `${[...head, ...samples].join('\n')}\n`)
    .join('\n')
}
