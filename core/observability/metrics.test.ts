import { describe, expect, it } from 'vitest'
import { quietLog } from '../../test/harness/quiet-log.ts'
import { createEventBus } from '../kernel/event-bus.ts'
import { Measures } from '../kernel/guards/measures.ts'
import { wholeRow } from '../billing/ledger/ledger-batch.ts'
import { LogSinks } from '../logs/log-sinks.ts'
import { CallFigures } from './call-figures.ts'
import { createMetrics, type OwnedMetric } from './metrics.ts'

function metricsOf(ofPlugins: readonly OwnedMetric[] = []) {
  const events = createEventBus(quietLog)
  const measures = new Measures()
  const held = Promise.withResolvers<void>()
  const owned = { owner: 'ours', entry: { id: 's', write: () => held.promise } }
  const logSinks = new LogSinks({ log: quietLog, sinks: () => [owned] })
  const metrics = createMetrics({
    events,
    openCalls: { size: 3, shed: 2 },
    calls: new CallFigures(events),
    monitoring: { nodes: () => [] },
    channels: { standing: () => ({ enabled: 5, disabled: 1, auto_disabled: 0, failing: [] }) },
    plugins: () => [{ id: 'ours', state: 'on', hooks: measures.figures('ours') }],
    ofPlugins: () => ofPlugins,
    logSinks,
    build: { version: '1.2.3', database: 'postgres' },
  })
  const lines = async () =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith('tollgate_'))
  return { events, measures, logSinks, lines, release: held.resolve }
}

describe('/metrics', () => {
  it('counts attempts that failed by class', async () => {
    const { events, lines } = metricsOf()
    for (const failureClass of ['throttled', 'throttled', 'upstream'])
      events.emit('attempt.failed', { channelId: 1, failureClass })
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'tollgate_attempts_failed_total{class="throttled"} 2',
        'tollgate_attempts_failed_total{class="upstream"} 1',
        'tollgate_open_calls 3',
        'tollgate_calls_shed_total 2',
        'tollgate_channels{state="enabled"} 5',
      ]),
    )
  })

  it('tells what it was built as', async () => {
    const { lines } = metricsOf()
    expect(await lines()).toContain(
      `tollgate_build_info{version="1.2.3",node="${process.version}",database="postgres"} 1`,
    )
  })

  it('tells what plugins count, and leaves out what cannot be told', async () => {
    const broken = () => {
      throw new Error('broken')
    }
    const values = { good: () => 7, late: () => Number.NaN, none: () => '7' as never, broken }
    const owned = Object.entries(values).map(([id, value]) => ({
      owner: 'ours',
      entry: { id: `ours/${id}`, value },
    }))
    const { lines } = metricsOf(owned)
    expect((await lines()).filter((line) => line.startsWith('tollgate_plugin_metric'))).toEqual([
      'tollgate_plugin_metric{plugin="ours",metric="good"} 7',
    ])
  })

  it('adds up the hooks of a plugin at one point', async () => {
    const { measures, lines } = metricsOf()
    const refuse = () => {
      throw new Error('broken')
    }
    measures.meter('ours', 'relay.admit', 'one').run(() => 1)
    expect(() => measures.meter('ours', 'relay.admit', 'two').run(refuse)).toThrow('broken')
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'tollgate_plugin_calls_total{plugin="ours",point="relay.admit"} 2',
        'tollgate_plugin_errors_total{plugin="ours",point="relay.admit"} 1',
        'tollgate_plugin_late_total{plugin="ours",point="relay.admit"} 0',
        'tollgate_plugin_hooks_parked{plugin="ours"} 0',
        'tollgate_plugin_state{plugin="ours",state="on"} 1',
      ]),
    )
  })

  it('tells what waits for a log sink', async () => {
    const { logSinks, lines, release } = metricsOf()
    const row = { ...wholeRow({ user_id: 1 }), username: 'ann' }
    logSinks.publish([row, row])
    expect(await lines()).toContain('tollgate_log_sink_waiting{plugin="ours"} 2')
    release()
  })
})
