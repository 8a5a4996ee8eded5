import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { EventBus } from '../contract/events.ts'

export interface Metrics {
  contentType: string
  text(): Promise<string>
}

/** Counts what the events tell; labels are bounded (status, no model names). */
export function createMetrics(
  events: EventBus,
  facts: { generation(): number; inFlight(): number },
): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  countCalls(events, [registry])
  registry.registerMetric(
    gauge('tollgate_generation', 'Number of the serving generation.', facts.generation),
  )
  registry.registerMetric(
    gauge(
      'tollgate_requests_in_flight',
      'Open requests of the serving generation.',
      facts.inFlight,
    ),
  )
  return { contentType: registry.contentType, text: () => registry.metrics() }
}

function gauge(name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(read())
    },
  })
}

function countCalls(events: EventBus, registers: Registry[]): void {
  const calls = new Counter({
    name: 'tollgate_calls_total',
    help: 'Relay calls that were settled.',
    labelNames: ['status'],
    registers,
  })
  const units = new Counter({
    name: 'tollgate_quota_units_total',
    help: 'Quota units charged.',
    registers,
  })
  const tokens = new Counter({
    name: 'tollgate_tokens_total',
    help: 'Tokens of settled calls.',
    labelNames: ['kind'],
    registers,
  })
  const duration = new Histogram({
    name: 'tollgate_call_seconds',
    help: 'From the request to the settlement.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  })
  const disabled = new Counter({
    name: 'tollgate_channels_disabled_total',
    help: 'Channels disabled automatically.',
    registers,
  })
  events.on('relay.settled', (call) => {
    calls.inc({ status: String(call.status) })
    units.inc(call.units)
    tokens.inc({ kind: 'prompt' }, call.promptTokens)
    tokens.inc({ kind: 'completion' }, call.completionTokens)
    duration.observe(call.durationMs / 1000)
  })
  events.on('channel.disabled', () => disabled.inc())
}
