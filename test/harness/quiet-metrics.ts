import { createEventBus } from '../../core/kernel/event-bus.ts'
import { CallFigures } from '../../core/observability/call-figures.ts'
import { createMetrics, type Metrics } from '../../core/observability/metrics.ts'
import { quietLog } from './quiet-log.ts'

/** The figures of a gateway in which nothing happens. */
export function quietMetrics(): Metrics {
  const events = createEventBus(quietLog)
  return createMetrics({
    events,
    openCalls: { size: 0, shed: 0 },
    calls: new CallFigures(events),
    monitoring: { nodes: () => [] },
    channels: { standing: () => ({ enabled: 0, disabled: 0, auto_disabled: 0, failing: [] }) },
    plugins: () => [],
    ofPlugins: () => [],
    logSinks: { waiting: () => [] },
    build: { version: '1.0.0', database: 'sqlite' },
  })
}
