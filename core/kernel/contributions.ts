import type { FastifyInstance } from 'fastify'
import type { Adapter } from '../contract/adapter.ts'
import type { Events } from '../contract/events.ts'
import type { TableImport } from '../contract/imports.ts'
import type { OptionAction } from '../contract/option-actions.ts'
import type { OptionActor, OptionDefinitions } from '../contract/options.ts'
import type {
  BotCheck,
  Job,
  LogSink,
  Metric,
  Notifier,
  Plugin,
  PluginServices,
  RateLimiter,
  StatusField,
} from '../contract/plugin.ts'
import type { ClientDialect } from '../contract/client-dialect.ts'
import type { ResponseCache, RoutingPolicy } from '../contract/relay-points.ts'
import type { RelayHook } from '../contract/relay.ts'
import type { PaymentProvider } from '../contract/payment.ts'
import type { AuthProvider } from '../contract/sign-in.ts'
import type { TaskPlatform } from '../contract/task.ts'
import type { ClusterListener, ClusterResync } from '../contract/services.ts'
import {
  guardBotCheck,
  guardMail,
  guardNotifier,
  guardRateLimiter,
  guardStatusField,
} from './guards/guard-contributions.ts'
import { guardAuthProvider } from './guards/guard-auth-provider.ts'
import { secretsOf } from './manifest/asks.ts'
import { guardDialect } from './guards/guard-dialects.ts'
import { guardPayments } from './guards/guard-payments.ts'
import { guardTasks } from './guards/guard-tasks.ts'
import { guardRelayHook } from './guards/guard-relay-hooks.ts'
import { guardResponseCache, guardRoutingPolicy } from './guards/guard-relay-points.ts'
import { meterEntries } from './guards/meter-entries.ts'
import { Measures, type Meter } from './guards/measures.ts'
import { runAs } from './plugin-context.ts'
import { Refresh } from './refresh.ts'
import { ContributionRegistry } from './registry.ts'
import { withTimeout } from './with-timeout.ts'

export interface RouteContribution {
  owner: string
  register: (app: FastifyInstance) => void | Promise<void>
  /** Core creates these routes for what the owner added, and guards them itself. */
  isMade?: boolean
}

/** A command of a plugin with that plugin's services; its id is `<plugin> <command>`. */
export interface BoundCommand {
  id: string
  run(args: readonly string[], print: (line: string) => void): number | Promise<number>
}

type Disposer = () => void | Promise<void>

/** Something that runs only while the generation is current. */
interface Limited {
  start: () => Disposer
  /** Stops it. */
  stop?: Disposer
}

const STOP_TIMEOUT_MS = 5_000

/** Everything that the plugins of one generation add. Listeners and subscriptions begin with `activate` and end with `deactivate`. */
export class Contributions {
  readonly plugins: Plugin[] = []
  /** Ids of the plugins that did not come with the gateway. */
  readonly external: ReadonlySet<string>
  readonly adapters = new Map<number, Adapter>()
  readonly adapterList: Adapter[] = []
  readonly options: { owner: string; definitions: OptionDefinitions }[] = []
  readonly routes: RouteContribution[] = []
  readonly authProviders = new ContributionRegistry<AuthProvider>('auth provider')
  readonly paymentProviders = new ContributionRegistry<PaymentProvider>('payment provider')
  readonly botChecks = new ContributionRegistry<BotCheck>('bot check')
  readonly notifiers = new ContributionRegistry<Notifier>('notifier')
  readonly rateLimiters = new ContributionRegistry<RateLimiter>('rate limiter')
  readonly logSinks = new ContributionRegistry<LogSink>('log sink')
  readonly relayHooks = new ContributionRegistry<RelayHook>('relay hook')
  readonly responseCaches = new ContributionRegistry<ResponseCache>('response cache')
  readonly routingPolicies = new ContributionRegistry<RoutingPolicy>('routing policy')
  readonly dialects = new ContributionRegistry<ClientDialect>('dialect')
  readonly taskPlatforms = new ContributionRegistry<TaskPlatform>('task platform')
  readonly statusFields = new ContributionRegistry<StatusField>('status field')
  readonly metrics = new ContributionRegistry<Metric>('metric')
  readonly jobs = new ContributionRegistry<Job>('job')
  readonly imports = new ContributionRegistry<TableImport>('import')
  readonly optionActions = new ContributionRegistry<OptionAction>('option action')
  readonly cliCommands = new ContributionRegistry<BoundCommand>('command')
  readonly errorStatus = new Map<string, number>()
  readonly #whileCurrent = new Set<Limited>()
  readonly #disposers: Disposer[] = []
  readonly #onFault: (error: unknown) => void
  #isActive = false

  /** `onFault` is called when something does not end as it should. */
  constructor(
    onFault: (error: unknown) => void = () => undefined,
    external: ReadonlySet<string> = new Set(),
  ) {
    this.#onFault = onFault
    this.external = external
  }

  /** `guard` keeps faults of its functions from affecting others. */
  addAdapter(manifest: Adapter, guard = (adapter: Adapter): Adapter => adapter): void {
    const adapter = guard(manifest)
    for (const type of Object.keys(adapter.channelTypes).map(Number)) {
      const other = this.adapters.get(type)
      if (other)
        throw new Error(
          `channel type ${type} comes from "${adapter.id}", but "${other.id}" has it already`,
        )
      this.adapters.set(type, adapter)
    }
    if (adapter.tasks) {
      const channelTypes = Object.keys(adapter.channelTypes).map(Number)
      this.taskPlatforms.of(adapter.id).add({ channelTypes, ...adapter.tasks })
    }
    this.adapterList.push(adapter)
  }

  /** Something that runs only while this generation is current. `start` returns its disposer; the returned function ends it earlier. */
  whileCurrent(start: () => Disposer): Disposer {
    const limited: Limited = this.#isActive ? { start, stop: start() } : { start }
    this.#whileCurrent.add(limited)
    return () => {
      if (this.#whileCurrent.delete(limited)) return limited.stop?.()
    }
  }

  /** Released after the last request of this generation has ended. */
  onDispose(dispose: Disposer): void {
    this.#disposers.push(dispose)
  }

  activate(): void {
    this.#isActive = true
    for (const limited of this.#whileCurrent) {
      try {
        // Things that a start itself adds have begun already.
        limited.stop ??= limited.start()
      } catch (error) {
        this.#whileCurrent.delete(limited)
        this.#onFault(error)
      }
    }
  }

  async deactivate(): Promise<void> {
    this.#isActive = false
    const stops = [...this.#whileCurrent].flatMap(({ stop }) => stop ?? [])
    this.#whileCurrent.clear()
    await Promise.all(stops.map((stop) => this.#ended(stop)))
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#disposers.splice(0).map((dispose) => this.#ended(dispose)))
  }

  async #ended(stop: Disposer): Promise<void> {
    try {
      await withTimeout(STOP_TIMEOUT_MS, 'the end of a plugin', stop())
    } catch (error) {
      this.#onFault(error)
    }
  }
}

export type SharedServices = Omit<
  PluginServices,
  | 'routes'
  | 'authProviders'
  | 'paymentProviders'
  | 'botChecks'
  | 'notifiers'
  | 'rateLimiters'
  | 'logSinks'
  | 'relayHooks'
  | 'responseCaches'
  | 'routingPolicies'
  | 'dialects'
  | 'taskPlatforms'
  | 'statusFields'
  | 'metrics'
  | 'jobs'
  | 'imports'
  | 'optionActions'
  | 'errors'
  | 'log'
> & { log: PluginServices['log'] & { child?: (bindings: object) => PluginServices['log'] } }

/** The arguments of one plugin's `server`: the shared services, with all registries and subscriptions bound to their owner. */
export function servicesFor(
  owner: string,
  shared: SharedServices,
  target: Contributions,
  measures = new Measures(),
): PluginServices {
  const log = shared.log.child?.({ plugin: owner }) ?? shared.log
  const meters = meterEntries(owner, target.external.has(owner), measures)
  return {
    ...shared,
    log,
    routes: { add: (register) => addRoutes(owner, register, target) },
    authProviders: target.authProviders.of(owner, (entry) => guardAuthProvider(entry, log)),
    paymentProviders: target.paymentProviders.of(owner, (entry) => guardPayments(entry, log)),
    botChecks: target.botChecks.of(owner, (entry) => guardBotCheck(meters.botCheck(entry), log)),
    notifiers: target.notifiers.of(owner, (entry) => guardNotifier(meters.notifier(entry), log)),
    rateLimiters: target.rateLimiters.of(owner, (entry) =>
      guardRateLimiter(meters.rateLimiter(entry), log),
    ),
    logSinks: target.logSinks.of(owner, meters.logSink),
    relayHooks: target.relayHooks.of(owner, (entry) =>
      guardRelayHook(entry, owner, meters.relayHook(entry)),
    ),
    responseCaches: target.responseCaches.of(owner, (entry) =>
      guardResponseCache(entry, owner, meters.responseCache(entry), log),
    ),
    routingPolicies: target.routingPolicies.of(owner, (entry) =>
      guardRoutingPolicy(entry, owner, meters.routingPolicy(entry), log),
    ),
    dialects: target.dialects.of(owner, (entry) => guardDialect(entry, meters.dialect(entry), log)),
    taskPlatforms: target.taskPlatforms.of(owner, (entry) =>
      guardTasks(entry, owner, meters.taskPlatform(entry), log),
    ),
    statusFields: target.statusFields.of(owner, (entry) =>
      guardStatusField(meters.statusField(entry), log, () => ownSecrets(owner, shared, target)),
    ),
    metrics: target.metrics.of(owner, meters.metric),
    jobs: target.jobs.of(owner, meters.job),
    imports: target.imports.of(owner),
    optionActions: target.optionActions.of(owner, meters.optionAction),
    errors: { sendAs: (code, status) => sendAs(code, status, target) },
    ...boundSubscriptions(owner, { ...shared, log }, target, meters.listener),
  }
}

function ownSecrets(
  owner: string,
  { options }: Pick<SharedServices, 'options'>,
  { plugins }: Contributions,
): unknown[] {
  const plugin = plugins.find(({ id }) => id === owner)
  return plugin ? secretsOf(plugin).map((key) => options.get(key)) : []
}

function addRoutes(
  owner: string,
  register: RouteContribution['register'],
  target: Contributions,
): void {
  if (typeof register !== 'function') throw new TypeError('routes.add() takes a function')
  target.routes.push({ owner, register: (app) => runAs(owner, () => register(app)) })
}

function sendAs(code: string, status: number, target: Contributions): void {
  if (typeof code !== 'string' || !Number.isInteger(status) || status < 400 || status > 599)
    throw new TypeError('errors.sendAs() takes a code and a status from 400 to 599')
  target.errorStatus.set(code, status)
}

function boundSubscriptions(
  owner: string,
  shared: SharedServices,
  target: Contributions,
  meterOf: (event: string) => Meter,
) {
  const { events, options, cluster, mail, log } = shared
  return {
    events: {
      emit: <K extends keyof Events>(name: K, payload: Events[K]) =>
        events.emit(name, payload, owner),
      on: <K extends keyof Events>(
        name: K,
        listener: (payload: Events[K]) => void | Promise<void>,
      ) => {
        const meter = meterOf(name)
        const counted = (payload: Events[K]) =>
          meter.isParked ? undefined : meter.run(() => listener(payload))
        return target.whileCurrent(() => events.on(name, counted, owner))
      },
    },
    options: {
      get: options.get.bind(options),
      set: (key: string, value: string, actor?: OptionActor) =>
        options.set(key, value, actorOf(owner, actor)),
      setMany: (values: Record<string, string>, actor?: OptionActor) =>
        options.setMany(values, actorOf(owner, actor)),
      list: options.list.bind(options),
      secretsSet: options.secretsSet.bind(options),
      schemaOf: options.schemaOf.bind(options),
      onChange: (listener: (key: string) => void) =>
        target.whileCurrent(() => options.onChange(guardListener(listener, log))),
    },
    cluster: {
      nodeId: cluster.nodeId,
      publish: cluster.publish.bind(cluster),
      subscribe: boundSubscribe(shared, target),
    },
    mail: {
      send: mail.send.bind(mail),
      use: (transport: Parameters<typeof mail.use>[0]) => {
        const used = target.external.has(owner) ? guardMail(transport, log) : transport
        return target.whileCurrent(() => mail.use(used))
      },
    },
  }
}

/** The history of options names the plugin that changed one. */
function actorOf(owner: string, actor: OptionActor | undefined): OptionActor {
  return { id: 0, username: '', ...actor, origin: `plugin:${owner}` }
}

function guardListener(
  listener: (key: string) => void | Promise<void>,
  log: PluginServices['log'],
) {
  return async (key: string): Promise<void> => {
    try {
      await listener(key)
    } catch (error) {
      log.error({ err: error, option: key }, 'an option listener failed')
    }
  }
}

/** What a plugin has read while loading may be outdated when its subscription begins, so it reads once more. */
function boundSubscribe({ cluster, log }: SharedServices, target: Contributions) {
  return (topic: string, listener: ClusterListener, resync: ClusterResync): (() => void) => {
    // Plugins in plain JavaScript are not type-checked.
    if (typeof resync !== 'function') {
      throw new TypeError(`cluster.subscribe('${topic}') needs a resync: see ClusterBus`)
    }
    const stop = target.whileCurrent(() => {
      const refresh = new Refresh(resync, (error) =>
        log.error({ err: error, topic }, 'a subscriber of the cluster bus failed'),
      )
      const unsubscribe = cluster.subscribe(topic, listener, () => refresh.demand())
      refresh.demand()
      return () => {
        unsubscribe()
        refresh.close()
      }
    })
    return () => void stop()
  }
}
