// Metrics of Prometheus whose values are read when they are asked for.
import { Counter, Gauge } from 'prom-client'

export interface Sample {
  labels: Record<string, string>
  value: number
}

/** One number, or one for each combination of labels. */
type Reading = number | undefined | readonly Sample[]

function samplesOf(reading: Reading): readonly Sample[] {
  return typeof reading === 'object' ? reading : [{ labels: {}, value: reading ?? 0 }]
}

interface Sampled {
  reset(): void
  inc(labels: Sample['labels'], value: number): void
}

/** A metric whose value is read with each request for the metrics. */
function sampled(name: string, help: string, read: () => Reading, labelNames: string[] = []) {
  return {
    name,
    help,
    labelNames,
    registers: [],
    collect(this: Sampled) {
      this.reset()
      for (const { labels, value } of samplesOf(read())) this.inc(labels, value)
    },
  }
}

export const gauge = (...metric: Parameters<typeof sampled>) => new Gauge(sampled(...metric))
export const counter = (...metric: Parameters<typeof sampled>) => new Counter(sampled(...metric))
