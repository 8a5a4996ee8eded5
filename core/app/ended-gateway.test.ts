// What a gateway that has ended leaves in a process that goes on, as in tests and under `tollgate plugin dev`.
import { tmpdir } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { quietLog } from '../../test/harness/quiet-log.ts'
import { createEventBus } from '../kernel/event-bus.ts'
import { CallFigures } from '../observability/call-figures.ts'
import { createLog } from '../observability/log.ts'
import { createMetrics } from '../observability/metrics.ts'
import { LogRedaction } from '../secrets/log-redaction.ts'
import { noteCrashes } from './plugin-crashes.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const hasGone = (part: WeakRef<object>) =>
  expect
    .poll(() => {
      collect()
      // Not the part itself: what is compared stays in memory.
      return part.deref() === undefined
    })
    .toBe(true)

it('its log holds nothing once it is written', async () => {
  const openLog = () => {
    const redaction = new LogRedaction()
    createLog('silent', redaction)
    return new WeakRef(redaction)
  }
  await hasGone(openLog())
})

it('its metrics hold nothing', async () => {
  const openMetrics = () => {
    const events = createEventBus(quietLog)
    const calls = new CallFigures(events)
    createMetrics({
      events,
      openCalls: { size: 0, shed: 0 },
      calls,
      monitoring: { nodes: () => [] },
      channels: { standing: () => ({ enabled: 0, disabled: 0, auto_disabled: 0, failing: [] }) },
      plugins: () => [],
      ofPlugins: () => [],
      logSinks: { waiting: () => [] },
      build: { version: '1.0.0', database: 'sqlite' },
    })
    return new WeakRef(calls)
  }
  await hasGone(openMetrics())
})

it('no crash is noted in its folder any more', () => {
  const listeners = () => process.listenerCount('uncaughtExceptionMonitor')
  const before = listeners()
  const stop = noteCrashes(tmpdir())
  expect(listeners()).toBe(before + 1)
  stop()
  expect(listeners()).toBe(before)
})
