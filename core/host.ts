// Hands the kernel what it builds generations from: it imports none of these parts itself.
import type { EnvironmentView } from './contract/services.ts'
import { migratePlugins } from './data/migrate.ts'
import { createApp } from './http/server.ts'
import { metricsRoutes } from './http/metrics-routes.ts'
import { optionRoutes } from './http/option-routes.ts'
import { pluginRoutes } from './http/plugin-routes.ts'
import { statusRoutes } from './http/status-routes.ts'
import { coreOptions, type DefaultMaps } from './core-options.ts'
import type { GatewaySettings } from './gateway-settings.ts'
import type { Contributions, SharedServices } from './kernel/contributions.ts'
import { PluginHost } from './kernel/plugin-host.ts'
import type { Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { AdapterCaches } from './relay/adapter-cache.ts'
import { createProbe } from './relay/probe.ts'
import { relayRoutes, type RelayRouteDeps } from './relay/routes.ts'
import { createRelayError } from './relay/send-error.ts'
import { StateMemory } from './relay/state-memory.ts'
import type { Services } from './services.ts'
import { createTasks } from './tasks/tasks.ts'

export interface HostInput {
  settings: GatewaySettings
  services: Services
  defaults: DefaultMaps
  /** The repository's folder. */
  root: string
  log: Log
  state: { isReady: boolean }
}

export function buildHost(input: HostInput): PluginHost {
  const { settings, services, root, log } = input
  const { version } = settings
  const view = environmentView(input)
  const caches = new AdapterCaches()
  const memory = new StateMemory()
  const metrics = createMetrics(services.events, {
    generation: () => host.current.number,
    inFlight: () => host.current.inFlight,
  })
  const relayError = createRelayError(log)
  const tasks = createTasks(
    { ...services, index: () => services.channels.index(), log },
    settings.tasks,
  )
  services.channels.useProbe(createProbe(relayBase(input, caches, memory)))
  const core = { owner: 'core', definitions: coreOptions(input.defaults) }
  const host: PluginHost = new PluginHost({
    root,
    version,
    log,
    pluginDirs: settings.pluginDirs,
    offAtFirstStart: settings.offAtFirstStart,
    database: services.database,
    cluster: services.cluster,
    events: services.events,
    shared: () => ({ ...sharedServices(input, view), tasks: tasks.list }),
    defineOptions: (contributions) => services.options.define([core, ...contributions.options]),
    runMigrations: async (contributions) => {
      await migratePlugins(services.database, contributions.migrations.list(), log)
    },
    startJob: (job) => services.schedule.start(job),
    createApp: (contributions) => {
      tasks.addJobs(contributions)
      return createApp(contributions, {
        root,
        log: log as never,
        trustedProxies: settings.trustedProxies,
        relayBodyBytes: settings.relayBodyBytes,
        guards: {
          sessions: services.sessions,
          callers: services.callers,
          rateClasses: services.rateClasses,
          optionMinRole: settings.optionMinRole,
        },
        relayError,
        systemName: () => services.options.get('SystemName'),
        coreRoutes: [
          {
            owner: 'core',
            register: (app) =>
              coreRoutes(app, { input, view, contributions, metrics, host: () => host }),
          },
          {
            owner: 'core',
            register: (app) => relayRoutes(app, relayDeps(input, contributions, caches, memory)),
          },
          {
            owner: 'core',
            register: (app) =>
              tasks.addRoutes(app, contributions, relayDeps(input, contributions, caches, memory)),
          },
        ],
      })
    },
  })
  services.events.on('plugin.changed', () => services.channels.reload(), 'core')
  return host
}

interface CoreRoutesInput {
  input: HostInput
  view: EnvironmentView
  contributions: Contributions
  metrics: Metrics
  host: () => PluginHost
}

function coreRoutes(
  app: Parameters<typeof statusRoutes>[0],
  { input, view, contributions, metrics, host }: CoreRoutesInput,
): void {
  const { services, state, settings } = input
  statusRoutes(app, {
    options: services.options,
    database: services.database,
    environment: view,
    isReady: () => state.isReady,
    statusFields: () => contributions.statusFields.list(),
  })
  optionRoutes(app, services.options)
  pluginRoutes(app, { host, logs: services.logs })
  metricsRoutes(app, { metrics, token: settings.metricsToken })
}

function relayBase(input: HostInput, caches: AdapterCaches, memory: StateMemory) {
  const { services, log } = input
  return {
    index: () => services.channels.index(),
    health: services.channels.health,
    tokens: services.tokens,
    pricing: services.pricing,
    ledger: services.ledger,
    logs: services.logs,
    options: services.options,
    events: services.events,
    http: services.http,
    log,
    settings: input.settings.relay,
    readVariable: (name: string) => input.settings.readVariable(name),
    caches,
    memory,
    affinity: services.affinity,
    responses: services.responses,
    realtime: services.realtime,
    hooks: () => [],
    rateLimiters: () => [],
  }
}

function relayDeps(
  input: HostInput,
  contributions: Contributions,
  caches: AdapterCaches,
  memory: StateMemory,
): RelayRouteDeps {
  const hooks = {
    'relay.admit': contributions.relayHooks.list().filter((hook) => hook.stage === 'relay.admit'),
    'relay.send': contributions.relayHooks.list().filter((hook) => hook.stage === 'relay.send'),
    'relay.answer': contributions.relayHooks.list().filter((hook) => hook.stage === 'relay.answer'),
  }
  const limiters = contributions.rateLimiters.list()
  return {
    ...relayBase(input, caches, memory),
    hooks: (stage) => hooks[stage],
    rateLimiters: () => limiters,
    owner: (id) => input.services.accounts.find(id),
    acceptsUnset: async (id) =>
      (await input.services.accounts.settingOf(id)).accept_unset_model_ratio_model === true,
    token: (userId, id) => input.services.tokens.find(userId, id).catch(() => undefined),
  }
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

function sharedServices(
  { services, log }: HostInput,
  environment: EnvironmentView,
): Omit<SharedServices, 'tasks'> {
  const {
    accounts,
    cluster,
    channels,
    database,
    events,
    http,
    ledger,
    logs,
    mail,
    notifications,
    options,
    pricing,
    rateLimits,
    secrets,
    tokens,
    usageLog,
  } = services
  return {
    accounts,
    cluster,
    channels,
    database,
    environment,
    events,
    fetch: http.json,
    http,
    ledger,
    log,
    logs,
    mail,
    notifications,
    options,
    pricing,
    rateLimits,
    secrets,
    tokens,
    usageLog,
  }
}
