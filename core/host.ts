// Hands the kernel what it builds generations from: it imports none of these parts itself.
import type { Environment } from '../config/environment.ts'
import type { EnvironmentView } from './contract/services.ts'
import { migratePlugins } from './data/migrate.ts'
import { createApp } from './http/server.ts'
import { optionRoutes } from './http/option-routes.ts'
import { pluginRoutes } from './http/plugin-routes.ts'
import { statusRoutes } from './http/status-routes.ts'
import { coreOptions } from './core-options.ts'
import { defaults } from '../config/defaults.ts'
import type { Contributions, SharedServices } from './kernel/contributions.ts'
import { PluginHost } from './kernel/plugin-host.ts'
import type { Log } from './log.ts'
import { AdapterCaches } from './relay/adapter-cache.ts'
import { createProbe } from './relay/probe.ts'
import type { RelaySettings } from './relay/relay-deps.ts'
import { relayRoutes, type RelayRouteDeps } from './relay/routes.ts'
import { createRelayError } from './relay/send-error.ts'
import { StateMemory } from './relay/state-memory.ts'
import { listOf, type Services } from './services.ts'

export interface HostInput {
  environment: Environment
  services: Services
  root: string
  version: string
  log: Log
  state: { isReady: boolean }
  offAtFirstStart: readonly string[]
  pluginDirs: readonly string[]
  readVariable: (name: string) => string | undefined
}

export function buildHost(input: HostInput): PluginHost {
  const { environment, services, root, version, log } = input
  const view = environmentView(input)
  const caches = new AdapterCaches()
  const memory = new StateMemory()
  const settings = relaySettings(environment)
  const relayError = createRelayError(log)
  services.channels.useProbe(createProbe(relayBase(input, settings, caches, memory)))
  const core = { owner: 'core', definitions: coreOptions(defaults) }
  const host: PluginHost = new PluginHost({
    root,
    version,
    log,
    pluginDirs: input.pluginDirs,
    offAtFirstStart: input.offAtFirstStart,
    database: services.database,
    cluster: services.cluster,
    events: services.events,
    shared: () => sharedServices(input, view),
    defineOptions: (contributions) => services.options.define([core, ...contributions.options]),
    runMigrations: async (contributions) => {
      await migratePlugins(services.database, contributions.migrations.list(), log)
    },
    startJob: (job) => services.schedule.start(job),
    createApp: (contributions) =>
      createApp(contributions, {
        root,
        log: log as never,
        trustedProxies: listOf(environment.TRUSTED_PROXIES),
        relayBodyBytes: environment.MAX_REQUEST_BODY_MB * 1_048_576,
        guards: {
          sessions: services.sessions,
          callers: services.callers,
          rateClasses: services.rateClasses,
          optionMinRole: environment.OPTION_MIN_ROLE,
        },
        relayError,
        systemName: () => services.options.get('SystemName'),
        coreRoutes: [
          {
            owner: 'core',
            register: (app) => coreRoutes(app, input, view, contributions, () => host),
          },
          {
            owner: 'core',
            register: (app) =>
              relayRoutes(app, relayDeps(input, contributions, settings, caches, memory)),
          },
        ],
      }),
  })
  services.events.on('plugin.changed', () => services.channels.reload(), 'core')
  return host
}

function coreRoutes(
  app: Parameters<typeof statusRoutes>[0],
  input: HostInput,
  view: EnvironmentView,
  contributions: Contributions,
  host: () => PluginHost,
): void {
  const { services, state } = input
  statusRoutes(app, {
    options: services.options,
    database: services.database,
    environment: view,
    isReady: () => state.isReady,
    statusFields: () => contributions.statusFields.list(),
  })
  optionRoutes(app, services.options)
  pluginRoutes(app, { host, logs: services.logs })
}

function relayBase(
  input: HostInput,
  settings: RelaySettings,
  caches: AdapterCaches,
  memory: StateMemory,
) {
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
    settings,
    caches,
    memory,
    hooks: () => [],
    rateLimiters: () => [],
  }
}

function relayDeps(
  input: HostInput,
  contributions: Contributions,
  settings: RelaySettings,
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
    ...relayBase(input, settings, caches, memory),
    hooks: (stage) => hooks[stage],
    rateLimiters: () => limiters,
    owner: (id) => input.services.accounts.find(id),
    token: (userId, id) => input.services.tokens.find(userId, id).catch(() => undefined),
  }
}

function relaySettings(environment: Environment): RelaySettings {
  return {
    isStrict: environment.BILLING_DURABILITY === 'strict',
    logsErrors: environment.ERROR_LOG_ENABLED,
    streamingTimeoutMs: environment.STREAMING_TIMEOUT * 1000,
    relayTimeoutMs: environment.RELAY_TIMEOUT * 1000,
    drainMs: environment.DRAIN_SECONDS * 1000,
    drainBytes: environment.DRAIN_BYTES,
    maxFileBytes: environment.MAX_FILE_DOWNLOAD_MB * 1_048_576,
    forceStreamUsage: environment.FORCE_STREAM_OPTION,
  }
}

function environmentView({ environment, version, readVariable }: HostInput): EnvironmentView {
  return {
    port: environment.PORT,
    dataDir: environment.DATA_DIR,
    version,
    startedAtSeconds: Math.floor(Date.now() / 1000),
    optionMinRole: environment.OPTION_MIN_ROLE,
    setupToken: environment.SETUP_TOKEN,
    updateCheckUrl: environment.UPDATE_CHECK_URL,
    hasRedis: environment.REDIS_URL !== '',
    read: readVariable,
  }
}

function sharedServices(
  { services, log }: HostInput,
  environment: EnvironmentView,
): SharedServices {
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
