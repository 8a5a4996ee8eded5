import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'
import type { ChannelService } from '../contract/channel-services.ts'
import type { Metric } from '../contract/plugin.ts'
import type { EventBus } from '../contract/events.ts'
import type { MonitoringService } from '../contract/monitoring.ts'
import type { HookFigures } from '../contract/plugin-row.ts'
import type { LogSinks } from '../logs/log-sinks.ts'
import type { CallFigures } from './call-figures.ts'
import { counter, gauge, type Sample } from './sampled-metric.ts'

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

export interface Metrics {
  contentType: string
  text(): Promise<string>
}

export interface OwnedMetric {
  owner: string
  entry: Metric
}

export interface MetricsDeps {
  events: EventBus
  calls: CallFigures
  openCalls: { readonly size: number; readonly shed: number }
  monitoring: MonitoringService
  channels: Pick<ChannelService, 'standing'>
  /** The state of each plugin (on, off, or why it failed) and figures about its hooks. */
  plugins(): readonly { id: string; state: string; hooks: readonly HookFigures[] }[]
  /** Those that plugins have added. */
  ofPlugins(): readonly OwnedMetric[]
  logSinks: Pick<LogSinks, 'waiting'>
  build: { version: string; database: string }
  /** Number of this process if several share a port. */
  worker?: number | undefined
}

/** Figures that other parts count are read when the metrics are requested. Labels have few values (status, state,
 *  class, plugin); there are none for models. */
export function createMetrics(deps: MetricsDeps): Metrics {
  const registry = new Registry()
  const registries = [metricsOfProcess(), registry]
  if (deps.worker !== undefined)
    for (const each of registries) each.setDefaultLabels({ worker: `${deps.worker}` })
  for (const metric of [
    buildInfo(deps.build),
    ...callMetrics(deps.calls),
    ...openCallMetrics(deps.openCalls),
    ...nodeMetrics(deps.monitoring),
    ...stateMetrics(deps),
    ...pluginMetrics(deps),
  ])
    registry.registerMetric(metric)
  countEvents(deps.events, [registry])
  return {
    contentType: registry.contentType,
    text: async () => (await Promise.all(registries.map((each) => each.metrics()))).join(''),
  }
}

let ofProcess: Registry | undefined

/** Made once: what watches the event loop and the collections of garbage never stops, and would hold what else is registered beside it. */
function metricsOfProcess(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

/** A gauge with the value 1 whose labels are constant facts, to be joined with other metrics, as Prometheus' exporters do. */
function buildInfo({ version, database }: MetricsDeps['build']) {
  const labels = { version, node: process.version, database }
  return gauge(
    'tollgate_build_info',
    '1, with the version of the gateway and of Node.js, and the kind of database.',
    () => [{ labels, value: 1 }],
    Object.keys(labels),
  )
}

function callMetrics(calls: CallFigures) {
  return [
    counter(
      'tollgate_calls_total',
      'Relay calls by the status that the client got.',
      () =>
        [...calls.byStatus].map(([status, value]) => ({ labels: { status: `${status}` }, value })),
      ['status'],
    ),
    counter('tollgate_quota_units_total', 'Quota units charged.', () => calls.units),
    counter(
      'tollgate_tokens_total',
      'Tokens of settled calls.',
      () => [
        { labels: { kind: 'prompt' }, value: calls.promptTokens },
        { labels: { kind: 'completion' }, value: calls.completionTokens },
      ],
      ['kind'],
    ),
    counter(
      'tollgate_attempts_failed_total',
      'Attempts on channels that failed, by class; another attempt may have answered the call.',
      () => [...calls.failedAttempts].map(([name, value]) => ({ labels: { class: name }, value })),
      ['class'],
    ),
  ]
}

function openCallMetrics(open: MetricsDeps['openCalls']) {
  return [
    gauge(
      'tollgate_open_calls',
      'Calls that are open, those included whose client has left while their answer is read on.',
      () => open.size,
    ),
    counter(
      'tollgate_calls_shed_total',
      'Calls refused because OPEN_CALLS_MAX were open.',
      () => open.shed,
    ),
  ]
}

function countEvents(events: EventBus, registers: Registry[]): void {
  const seconds = (name: string, help: string) =>
    new Histogram({ name, help, buckets: SECONDS, registers }).labels()
  const duration = seconds('tollgate_call_seconds', 'From the request to the settlement.')
  const firstByte = seconds(
    'tollgate_first_byte_seconds',
    'From the request to the first byte of the answer.',
  )
  events.on('relay.settled', ({ durationMs, firstByteMs }) => {
    duration.observe(durationMs / 1_000)
    if (firstByteMs !== undefined) firstByte.observe(firstByteMs / 1_000)
  })
  const disabled = new Counter({
    name: 'tollgate_channels_disabled_total',
    help: 'Channels disabled automatically.',
    registers,
  })
  events.on('channel.disabled', () => disabled.inc())
}

function nodeMetrics(monitoring: MonitoringService) {
  const own = () => monitoring.nodes()[0]
  return [
    gauge('tollgate_generation', 'Number of the serving generation.', () => own()?.generation),
    gauge('tollgate_requests_in_flight', 'Open requests.', () => own()?.in_flight),
    gauge(
      'tollgate_realtime_sessions',
      'Open WebSocket sessions: realtime, and Responses.',
      () => own()?.realtime_sessions,
    ),
    gauge(
      'tollgate_ledger_waiting',
      'Charges and log rows that wait for the database.',
      () => own()?.ledger_waiting,
    ),
    gauge(
      'tollgate_ledger_commit_seconds',
      'How long the last group commit took.',
      () => (own()?.ledger_commit_ms ?? 0) / 1_000,
    ),
    gauge('tollgate_database_away', '1 while nothing can be committed.', () =>
      own()?.is_database_away ? 1 : 0,
    ),
    gauge(
      'tollgate_nodes',
      'Processes of this gateway, this one included.',
      () => monitoring.nodes().length,
    ),
  ]
}

function pluginMetrics({ plugins, ofPlugins, logSinks }: MetricsDeps) {
  const labelNames = ['plugin', 'point']
  const of = (read: (figures: HookFigures) => number) => () =>
    plugins().flatMap(({ id, hooks }) =>
      hooks.map((figures) => ({
        labels: { plugin: id, point: figures.point },
        value: read(figures),
      })),
    )
  return [
    counter(
      'tollgate_plugin_calls_total',
      'Calls of hooks of plugins.',
      of(({ calls }) => calls),
      labelNames,
    ),
    counter(
      'tollgate_plugin_errors_total',
      'Those that failed.',
      of(({ errors }) => errors),
      labelNames,
    ),
    counter(
      'tollgate_plugin_late_total',
      'Those that took too long.',
      of(({ late }) => late),
      labelNames,
    ),
    counter(
      'tollgate_plugin_seconds_total',
      'How long they took, all together.',
      of(({ total_ms }) => total_ms / 1_000),
      labelNames,
    ),
    gauge(
      'tollgate_plugin_hooks_parked',
      'Hooks that kept failing and are no longer called.',
      () =>
        plugins().map(({ id, hooks }) => ({
          labels: { plugin: id },
          value: hooks.filter(({ is_parked }) => is_parked).length,
        })),
      ['plugin'],
    ),
    gauge(
      'tollgate_plugin_metric',
      'What plugins tell of themselves.',
      () => ofPlugins().flatMap(sampleOf),
      ['plugin', 'metric'],
    ),
    gauge(
      'tollgate_log_sink_waiting',
      'Log rows that wait for a sink of a plugin.',
      () =>
        logSinks.waiting().map(({ owner, rows }) => ({ labels: { plugin: owner }, value: rows })),
      ['plugin'],
    ),
  ]
}

function stateMetrics({ channels, plugins }: MetricsDeps) {
  return [
    gauge(
      'tollgate_channels',
      'Channels by state.',
      () => {
        const { failing: _, ...states } = channels.standing(0)
        return Object.entries(states).map(([state, value]) => ({ labels: { state }, value }))
      },
      ['state'],
    ),
    gauge(
      'tollgate_plugin_state',
      '1 for the state that a plugin is in.',
      () => plugins().map(({ id, state }) => ({ labels: { plugin: id, state }, value: 1 })),
      ['plugin', 'state'],
    ),
  ]
}

/** None of what fails: its plugin's figures name the fault. */
function sampleOf({ owner, entry }: OwnedMetric): Sample[] {
  try {
    const value: unknown = entry.value()
    const labels = { plugin: owner, metric: entry.id.slice(owner.length + 1) }
    return typeof value === 'number' && Number.isFinite(value) ? [{ labels, value }] : []
  } catch {
    return []
  }
}
