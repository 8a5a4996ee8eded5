// Puts meters on what a plugin adds, at the place where it is called.
import type {
  BotCheck,
  Job,
  LogSink,
  Metric,
  Notifier,
  RateLimiter,
  StatusField,
} from '../../contract/plugin.ts'
import type { OptionAction } from '../../contract/option-actions.ts'
import type { ClientDialect } from '../../contract/client-dialect.ts'
import type { ResponseCache, RoutingPolicy } from '../../contract/relay-points.ts'
import type { RelayHook } from '../../contract/relay.ts'
import type { TaskPlatform } from '../../contract/task.ts'
import { deadlineOf } from './guard-relay-hooks.ts'
import type { Measures, Meter } from './measures.ts'
import { inTime } from '../with-timeout.ts'

/** Time limits of one call of a sink, a limiter, a status field and a cache; longer is late. */
const sinkMs = 5_000
const limiterMs = 2_000
const fieldMs = 100
const cacheMs = 250
/** Synchronous: every call waits for it. */
const policyMs = 20

/** Wrappers for the entries of one plugin. Only external plugins are ever parked: a built-in one fails only when something that it depends on
 *  fails, and recovers with it. */
export function meterEntries(owner: string, isExternal: boolean, measures: Measures) {
  const meter = (point: string, id: string, limitMs?: number): Meter =>
    measures.meter(owner, point, id, {
      ...(limitMs === undefined ? {} : { limitMs }),
      mayPark: isExternal && limitMs !== undefined,
    })
  return {
    relayHook: (entry: RelayHook): Meter => meter(entry.stage, entry.id, deadlineOf(entry)),
    responseCache: ({ id, deadlineMs = cacheMs }: ResponseCache): Meter =>
      meter('response cache', id, deadlineMs),
    // Nobody waits for its end, and everybody until it first waits.
    listener: (event: string): Meter =>
      measures.meter(owner, 'event', event, { mayParkBlocking: isExternal }),
    routingPolicy: ({ id }: RoutingPolicy): Meter => meter('routing policy', id, policyMs),
    dialect: ({ id }: ClientDialect): Meter => meter('dialect', id),
    taskPlatform: ({ id }: TaskPlatform): Meter => meter('task platform', id),
    rateLimiter: (entry: RateLimiter): RateLimiter => {
      const own = meter('rate limiter', entry.id, limiterMs)
      return {
        id: entry.id,
        admit: (caller) =>
          own.isParked
            ? undefined
            : own.run(() => inTime(limiterMs, 'admit()', entry.admit(caller))),
      }
    },
    logSink: (entry: LogSink): LogSink => {
      const own = meter('log sink', entry.id, sinkMs)
      return {
        id: entry.id,
        write: (row) =>
          own.isParked ? undefined : own.run(() => inTime(sinkMs, 'write()', entry.write(row))),
      }
    },
    statusField: (entry: StatusField): StatusField => {
      const own = meter('status field', entry.id, fieldMs)
      return {
        id: entry.id,
        value: () => (own.isParked ? undefined : own.run(() => entry.value())),
      }
    },
    metric: (entry: Metric): Metric => {
      const own = meter('metric', entry.id, fieldMs)
      return {
        // A figure bears the name of its plugin, so that others may use the same word.
        id: `${owner}/${entry.id}`,
        value: () => (own.isParked ? Number.NaN : own.run(() => figureOf(entry))),
      }
    },
    botCheck: (entry: BotCheck): BotCheck => {
      const own = meter('bot check', entry.id)
      return {
        id: entry.id,
        isEnabled: () => entry.isEnabled(),
        check: (token, address) => own.run(() => entry.check(token, address)),
      }
    },
    notifier: (entry: Notifier): Notifier => countedNotifier(entry, meter('notifier', entry.id)),
    job: (entry: Job): Job => countedJob(entry, meter('job', entry.id)),
    optionAction: (entry: OptionAction) => countedAction(entry, meter('option action', entry.id)),
  }
}

function countedNotifier(entry: Notifier, own: Meter): Notifier {
  const { id, name } = entry
  return { id, ...(name ? { name } : {}), send: (message) => own.run(() => entry.send(message)) }
}

function countedJob(entry: Job, own: Meter): Job {
  return {
    id: entry.id,
    everyMs: typeof entry.everyMs === 'number' ? entry.everyMs : () => period(entry),
    ...(entry.isLeaderOnly === undefined ? {} : { isLeaderOnly: entry.isLeaderOnly }),
    run: (signal) => own.run(() => entry.run(signal)),
    ...(entry.readLog === undefined
      ? {}
      : {
          readLog: (id, signal) =>
            own.run(() => entry.readLog?.(id, signal) ?? Promise.resolve(id)),
        }),
  }
}

function countedAction(entry: OptionAction, own: Meter): OptionAction {
  return { ...entry, run: (values, context) => own.run(() => entry.run(values, context)) }
}

/** @throws TypeError */
function figureOf(entry: Metric): number {
  const value: unknown = entry.value()
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new TypeError('value() gave no number')
}

function period({ everyMs }: Job): number {
  return typeof everyMs === 'number' ? everyMs : everyMs()
}
