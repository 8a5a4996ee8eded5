// Passes the kernel the parts from which it builds generations: the kernel imports none of them itself.
import type { FastifyInstance } from 'fastify'
import { holdCaller } from '../accounts/hold-caller.ts'
import { keptGroupsGuard } from '../accounts/kept-groups.ts'
import type { EnvironmentView } from '../contract/services.ts'
import { migratePlugin } from '../data/migrate.ts'
import { defaultPrices } from '../billing/prices/default-prices.ts'
import { BodyIntake } from '../http/bodies/body-intake.ts'
import { createApp } from '../http/server.ts'
import { installRoutes } from '../http/install-routes.ts'
import { markRoutes } from '../http/mark-routes.ts'
import type { Maker } from '../http/marks.ts'
import { metricsRoutes } from '../http/metrics-routes.ts'
import { optionActionRoutes } from '../http/options/option-action-routes.ts'
import { optionHistoryRoutes } from '../http/options/option-history-routes.ts'
import { optionRoutes } from '../http/options/option-routes.ts'
import { pluginRoutes } from '../http/plugin-routes.ts'
import { statusRoutes } from '../http/status-routes.ts'
import { installedFolder } from '../installs/plugin-store.ts'
import { coreOptions, type DefaultMaps } from './core-options.ts'
import type { GatewaySettings } from './gateway-settings.ts'
import { pluginTable } from './kernel-tables.ts'
import type { Contributions, SharedServices } from '../kernel/contributions.ts'
import { OptionActions } from '../kernel/options/option-actions.ts'
import { Measures } from '../kernel/guards/measures.ts'
import { withTimeout } from '../kernel/with-timeout.ts'
import { PluginHost } from '../kernel/host/plugin-host.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import { createProbe } from '../relay/probe.ts'
import { PluginStates } from '../observability/plugin-states.ts'
import { leftResponsesJob } from '../relay/chat/background/left-responses.ts'
import { clientDialectRoutes } from '../relay/routes/client-dialect-routes.ts'
import { relayRoutes } from '../relay/routes/relay-routes.ts'
import { createRelayError } from '../relay/failure/send-error.ts'
import { createInstalls, type PluginInstalls } from './plugin-installs.ts'
import { narrowed } from './outsider-services.ts'
import { createRelayMemory, probeDeps, relayRouteDeps, type RelayMemory } from './relay-parts.ts'
import type { Services } from './services.ts'
import { noticeRoutes } from '../payments/notice-routes.ts'
import type { PayDeps } from '../payments/payment-deps.ts'
import { paymentRoutes, providerPayRoutes, topUpFields } from '../payments/payment-routes.ts'
import type { LockedSettings } from '../kernel/options/option-changes.ts'
import { keepWayIn, wayInGuard, waysIn } from '../sign-in/way-in.ts'
import { signInMethodsField, signInRoutes } from '../sign-in/sign-in-routes.ts'
import { createTasks } from '../tasks/tasks.ts'

/** How long the log sinks of an ending generation wait for the last commit. */
const FLUSH_MS = 2_000

export interface HostInput {
  settings: GatewaySettings
  services: Services
  defaults: DefaultMaps & { makers: readonly Maker[] }
  /** The folder of the repository. */
  root: string
  log: Log
  state: { isReady: boolean }
  metrics: Metrics
}

export function buildHost(input: HostInput): PluginHost {
  const { settings, services, root, log } = input
  const parts = createParts(input, () => host)
  const coreGroup = ({ adapterList }: Contributions) => ({
    owner: 'core',
    definitions: coreOptions(input.defaults, defaultPrices(adapterList)),
  })
  const host: PluginHost = new PluginHost({
    root,
    version: settings.version,
    log,
    pluginDirs: settings.pluginDirs,
    installedDir: installedFolder(settings.dataDir),
    follow: (onChange) => parts.installs.follow(onChange),
    nodes: new PluginStates({ cluster: services.cluster, own: () => host.states() }),
    offAtFirstStart: settings.offAtFirstStart,
    isSafe: settings.isSafe,
    loadTimeoutMs: settings.pluginLoadMs,
    measures: new Measures(log),
    table: pluginTable(services.database, (id, stored) =>
      keepWayWithout(id, stored, services, host.current.contributions),
    ),
    cluster: services.cluster,
    events: services.events,
    shared: () => ({ ...sharedServices(input, parts.view), tasks: parts.tasks.list }),
    narrowed: (plugin, shared) => narrowed(plugin, shared, settings.foreignVariables),
    prepareOptions: (contributions) =>
      void services.options.prepare([coreGroup(contributions), ...contributions.options]),
    secretsOf: (id) => services.options.secretKeysOf(id).map((key) => services.options.get(key)),
    ownerOfOption: (key) => services.options.ownerOf(key),
    defineOptions: (contributions) => {
      services.options.define([coreGroup(contributions), ...contributions.options])
      services.options.useGuards([
        wayInGuard(services, contributions.authProviders.owned()),
        keptGroupsGuard(services),
      ])
      services.pricing.refresh()
    },
    reserveOptions: (plugins) =>
      services.options.reserve(
        plugins.flatMap(({ id, options }) =>
          options ? [{ owner: id, definitions: options }] : [],
        ),
      ),
    runMigrations: async (plugin) => {
      await migratePlugin(services.database, plugin, log, settings.pluginLoadMs)
    },
    startJob: (job, owner) => services.schedule.start(job, owner),
    createApp: (contributions) => createGenerationApp(input, parts, contributions),
    afterSwap: () => {
      services.pricing.refresh()
      return services.channels.useAdapters()
    },
  })
  services.channels.useProbe(createProbe(probeDeps(input, parts.relay)))
  return host
}

/** What all generations share besides the services. */
interface Parts {
  view: EnvironmentView
  relay: RelayMemory
  tasks: ReturnType<typeof createTasks>
  relayError: ReturnType<typeof createRelayError>
  intake: BodyIntake
  installs: PluginInstalls
  host: () => PluginHost
}

function createParts(input: HostInput, host: () => PluginHost): Parts {
  const { services, settings, log } = input
  const index = () => services.channels.index()
  return {
    view: environmentView(input),
    relay: createRelayMemory(),
    tasks: createTasks({ ...services, index, log }, settings.tasks),
    relayError: createRelayError({ log, events: services.events, traces: services.traces }),
    intake: new BodyIntake(settings.bodies),
    installs: createInstalls(input, host),
    host,
  }
}

function createGenerationApp(input: HostInput, parts: Parts, contributions: Contributions) {
  const { services, settings, root, log } = input
  const { sessions, callers, rateClasses, options, factors } = services
  const relayDeps = relayRouteDeps(input, parts, contributions)
  const register = (app: FastifyInstance) => {
    coreRoutes(app, input, parts, contributions)
    relayRoutes(app, relayDeps)
    app.addHook('onClose', () => endLogSinks(services, contributions))
  }
  parts.tasks.addJobs(contributions)
  contributions.jobs.add('core', leftResponsesJob(relayDeps))
  return createApp(contributions, {
    root,
    log,
    trustedProxies: settings.trustedProxies,
    relayBodyBytes: settings.relayBodyBytes,
    stallMs: settings.relay.streamingTimeoutMs,
    intake: parts.intake,
    sockets: services.sockets,
    guards: {
      sessions,
      callers,
      rateClasses,
      optionMinRole: settings.optionMinRole,
      serverAddress: () => options.get('ServerAddress'),
      isDemo: () => options.get('DemoSiteEnabled'),
      lacksFactor: (caller) => factors.isMissing(caller),
      hold: (caller, ...how) => holdCaller(services.database, caller, ...how),
    },
    relayError: parts.relayError,
    systemName: () => options.get('SystemName'),
    loadTimeoutMs: settings.pluginLoadMs,
    coreRoutes: [
      { owner: 'core', register },
      ...parts.tasks.routes(contributions, relayDeps),
      ...providerRoutes(input, contributions),
      ...dialectRoutes(relayDeps, contributions),
    ],
  })
}

/** Before the plugins of a generation are disposed, their log sinks get the calls that the generation has served. */
async function endLogSinks({ ledger, logSinks }: Services, contributions: Contributions) {
  const sinks = contributions.logSinks.owned()
  if (sinks.length === 0) return
  await withTimeout(FLUSH_MS, 'the last commit', ledger.flush()).catch(() => undefined)
  await logSinks.end(sinks)
}

function coreRoutes(
  app: FastifyInstance,
  { services, state, settings, metrics, defaults }: HostInput,
  { view, host, installs }: Parts,
  contributions: Contributions,
): void {
  const providers = contributions.authProviders.list()
  const payments = payDeps(services, contributions)
  statusRoutes(app, {
    options: services.options,
    database: services.database,
    environment: view,
    isReady: () => state.isReady && services.ledger.isAlive,
    statusFields: () => [
      ...contributions.statusFields.list(),
      ...topUpFields(payments),
      signInMethodsField(providers),
    ],
  })
  signInRoutes(app, { ...services, providers })
  paymentRoutes(app, payments)
  optionRoutes(app, services.options)
  optionHistoryRoutes(app, services.optionHistory)
  const { optionActions: actions } = contributions
  optionActionRoutes(app, new OptionActions({ ...services, actions }))
  pluginRoutes(app, {
    host,
    logs: services.logs,
  })
  const isDemo = () => services.options.get<boolean>('DemoSiteEnabled')
  installRoutes(app, { ...installs, host, logs: services.logs, isDemo })
  markRoutes(app, { adapters: contributions.adapterList, makers: defaults.makers })
  metricsRoutes(app, { metrics, token: settings.metricsToken })
}

async function keepWayWithout(
  id: string,
  stored: LockedSettings,
  services: Services,
  { authProviders }: Contributions,
) {
  const ways = (off: ReadonlySet<string>) =>
    services.options.asStored(stored, () => waysIn(services, authProviders.owned(), off))
  const { pluginsOff } = stored
  await keepWayIn(services, { before: ways(pluginsOff), after: ways(new Set([...pluginsOff, id])) })
}

function payDeps(services: Services, { paymentProviders }: Contributions): PayDeps {
  return { ...services, providers: paymentProviders.list() }
}

/** Added for each provider separately, so that a wrong address is blamed on its plugin. */
function providerRoutes({ services }: HostInput, contributions: Contributions) {
  const deps = payDeps(services, contributions)
  return contributions.paymentProviders.owned().map(({ owner, entry }) => ({
    owner,
    isMade: true,
    register: (app: FastifyInstance) => {
      providerPayRoutes(app, deps, entry)
      noticeRoutes(app, deps, entry)
    },
  }))
}

/** Added for each dialect separately, so that a wrong address is blamed on its plugin. */
function dialectRoutes(deps: ReturnType<typeof relayRouteDeps>, { dialects }: Contributions) {
  return dialects.owned().map(({ owner, entry }) => ({
    owner,
    isMade: true,
    register: (app: FastifyInstance) => clientDialectRoutes(app, entry, deps),
  }))
}

function environmentView({ settings }: HostInput): EnvironmentView {
  return {
    port: settings.port,
    dataDir: settings.dataDir,
    version: settings.version,
    startedAtSeconds: Math.floor(Date.now() / 1000),
    optionMinRole: settings.optionMinRole,
    setupToken: settings.setupToken,
    updateCheckUrl: settings.updateCheckUrl,
    hasRedis: settings.redisUrl !== '',
    read: settings.readVariable,
  }
}

/** The services that plugins share: those of the gateway, the environment, the HTTP client and the log. */
function sharedServices(
  { services, log }: HostInput,
  environment: EnvironmentView,
): Omit<SharedServices, 'tasks'> {
  const { forPlugins } = services
  return { ...forPlugins, environment, fetch: forPlugins.http.json, log }
}
