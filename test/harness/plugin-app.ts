// The routes of some plugins over real core services, called by `inject`: no port, no process.
import { BodyIntake } from '../../core/http/bodies/body-intake.ts'
import { OpenSockets } from '../../core/http/open-sockets.ts'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import type { EnvironmentView, Plugin, PluginServices } from '#core'
import { shippedPrices } from './shipped-prices.ts'
import { defaults } from '../../config/defaults.ts'
import { Accounts } from '../../core/accounts/accounts.ts'
import { createCallers } from '../../core/accounts/callers.ts'
import { Guesses } from '../../core/accounts/guesses.ts'
import { holdCaller } from '../../core/accounts/hold-caller.ts'
import { Sessions } from '../../core/accounts/sessions.ts'
import { createPricing } from '../../core/billing/prices/pricing.ts'
import { coreOptions } from '../../core/app/core-options.ts'
import { optionTable } from '../../core/app/option-table.ts'
import { optionActionRoutes } from '../../core/http/options/option-action-routes.ts'
import { optionHistoryRoutes } from '../../core/http/options/option-history-routes.ts'
import { optionRoutes } from '../../core/http/options/option-routes.ts'
import { createRateClasses } from '../../core/http/access/rate-classes.ts'
import { createApp } from '../../core/http/server.ts'
import { noticeRoutes } from '../../core/payments/notice-routes.ts'
import type { PayDeps } from '../../core/payments/payment-deps.ts'
import { paymentRoutes, providerPayRoutes } from '../../core/payments/payment-routes.ts'
import { createSignIn } from '../../core/sign-in/complete.ts'
import { Factors } from '../../core/sign-in/factors.ts'
import { Passkeys } from '../../core/sign-in/passkeys.ts'
import { SecondFactors } from '../../core/sign-in/second-factors.ts'
import { keptGroupsGuard } from '../../core/accounts/kept-groups.ts'
import { wayInGuard } from '../../core/sign-in/way-in.ts'
import { signInRoutes } from '../../core/sign-in/sign-in-routes.ts'
import { migratePlugin } from '../../core/data/migrate.ts'
import { Contributions, servicesFor, type SharedServices } from '../../core/kernel/contributions.ts'
import { OptionActions } from '../../core/kernel/options/option-actions.ts'
import { OptionHistory } from '../../core/kernel/options/option-history.ts'
import { OptionStore } from '../../core/kernel/options/option-store.ts'
import { createRateLimits } from '../../core/limits/rate-limits.ts'
import { type CoreServices, createCoreServices } from './core-services.ts'
import { type DatabaseKind, databaseKinds, quietLog } from './databases.ts'
import { InjectClient } from './inject-client.ts'

export interface PluginAppInput {
  plugins: readonly Plugin[]
  kind?: DatabaseKind
  environment?: Partial<EnvironmentView>
  /** The pause between two guesses of those that wait for their turn; a second by default. */
  guessPause?: () => Promise<unknown>
  /** The clock of codes that change with time. */
  now?: () => number
  /** Stand-ins for services that the plugins of the test use and this harness does not make. */
  services?: Partial<PluginServices> | ((made: MadeServices) => Promise<Partial<PluginServices>>)
}

/** The services that the harness makes itself, for others that build on them. */
export type MadeServices = CoreServices & Pick<PluginServices, 'accounts' | 'options' | 'pricing'>

export interface PluginApp extends CoreServices {
  app: FastifyInstance
  accounts: Accounts
  options: OptionStore
  contributions: Contributions
  /** A client that is not signed in. */
  client(): InjectClient
  /** Signs in without a password, each time with a new session: either just now, or long enough ago that a proof is
   *  asked for. */
  signedIn(userId: number, options?: { isFresh?: boolean }): Promise<InjectClient>
}

/** @throws what a plugin is refused for; nothing stays open */
export async function createPluginApp(input: PluginAppInput): Promise<PluginApp> {
  const parts = await createParts(input)
  try {
    return await appOf(input, parts)
  } catch (error) {
    await closeParts(parts)
    throw error
  }
}

async function appOf(input: PluginAppInput, parts: Parts): Promise<PluginApp> {
  const { core, accounts, options, sessions, callers, rateLimits } = parts
  const contributions = await startPlugins(input, parts)
  options.useGuards([
    wayInGuard({ ...core, options }, contributions.authProviders.owned()),
    keptGroupsGuard({ ...core, options }),
  ])
  const limit = { isEnabled: false, limit: 1, windowSeconds: 1 }
  const settings = { 'global-api': limit, 'global-web': limit, critical: limit }
  const rateClasses = createRateClasses({ rateLimits, settings })
  const app = await createApp(contributions, {
    root: '/nowhere',
    log: pino({ level: 'silent' }),
    trustedProxies: [],
    relayBodyBytes: 1_048_576,
    stallMs: 300_000,
    intake: new BodyIntake({ limitBytes: 16 * 1_048_576, slowSeconds: 30 }),
    sockets: new OpenSockets(),
    guards: {
      sessions,
      callers,
      rateClasses,
      optionMinRole: 10,
      serverAddress: () => options.get('ServerAddress'),
      lacksFactor: (caller) => parts.factors.isMissing(caller),
      hold: (caller, ...how) => holdCaller(core.database, caller, ...how),
      isDemo: () => false,
    },
    relayError: (_error, _request, reply) => reply,
    systemName: () => 'Tollgate',
    loadTimeoutMs: 10_000,
    coreRoutes: [{ owner: 'core', register: coreRoutes(input, parts, contributions) }],
  })
  contributions.activate()
  return {
    ...core,
    app,
    accounts,
    options,
    contributions,
    client: () => new InjectClient(app),
    signedIn: async (userId, { isFresh = true } = {}) => {
      const data = isFresh ? { proved_at: Date.now() } : {}
      const { secret } = await sessions.start({ userId, data, address: '', userAgent: 'test' })
      return new InjectClient(app).useSession(userId, secret)
    },
    close: async () => {
      await app.close()
      await contributions.deactivate()
      await closeParts(parts)
    },
  }
}

async function closeParts(parts: Parts): Promise<void> {
  const { accounts, sessions, callers, pricing, options } = parts
  for (const service of [accounts, sessions, callers, pricing, options]) service.close()
  await parts.rateLimits.close()
  await parts.core.close()
}

function coreRoutes(input: PluginAppInput, parts: Parts, contributions: Contributions) {
  const providers = contributions.authProviders.list()
  const notifications = notificationsOf(input)
  return (scope: FastifyInstance) => {
    signInRoutes(scope, { ...parts.core, ...parts, log: quietLog, notifications, providers })
    addPayments(scope, input, parts, contributions)
    optionRoutes(scope, parts.options)
    optionHistoryRoutes(scope, parts.optionHistory)
    const { optionActions: actions } = contributions
    const { options } = parts
    optionActionRoutes(scope, new OptionActions({ actions, options, log: quietLog }))
  }
}

function addPayments(
  scope: FastifyInstance,
  input: PluginAppInput,
  parts: Parts,
  { paymentProviders }: Contributions,
): void {
  const deps: PayDeps = {
    ...parts.core,
    ...parts,
    log: quietLog,
    notifications: notificationsOf(input),
    providers: paymentProviders.list(),
  }
  paymentRoutes(scope, deps)
  for (const provider of paymentProviders.list()) {
    providerPayRoutes(scope, deps, provider)
    noticeRoutes(scope, deps, provider)
  }
}

const silent: PluginServices['notifications'] = {
  notify: () => Promise.resolve(),
  notifyAdmins: () => Promise.resolve(),
  ways: () => ['email', 'webhook'].map((id) => ({ id, name: { en: id, zh: id } })),
}

function notificationsOf({ services }: PluginAppInput): PluginServices['notifications'] {
  return (typeof services === 'object' ? services.notifications : undefined) ?? silent
}

type Parts = Awaited<ReturnType<typeof createParts>>

async function createParts({ kind, plugins, guessPause, now }: PluginAppInput) {
  const core = await createCoreServices(kind ?? firstKind())
  const table = optionTable(core.database)
  const options = new OptionStore({ ...core, table, log: quietLog, ...(now ? { now } : {}) })
  options.define([
    { owner: 'core', definitions: coreOptions(defaults, shippedPrices) },
    ...plugins.flatMap(({ id, options: definitions }) =>
      definitions ? [{ owner: id, definitions }] : [],
    ),
  ])
  const sessions = new Sessions(core)
  const rateLimits = createRateLimits({ redis: undefined })
  const guesses = new Guesses({ rateLimits, ...(guessPause ? { pause: guessPause } : {}) })
  const secondFactors = new SecondFactors({ ...core, options, guesses, ...(now ? { now } : {}) })
  const passkeys = new Passkeys({ ...core, ...(now ? { now } : {}) })
  const factors = new Factors({ ...core, secondFactors, passkeys, options })
  return {
    core,
    guesses,
    secondFactors,
    passkeys,
    factors,
    signIn: createSignIn(factors),
    options,
    optionHistory: new OptionHistory(table, options),
    sessions,
    callers: createCallers(core),
    accounts: new Accounts({ ...core, options, sessions }),
    pricing: createPricing({ options, log: quietLog }),
    rateLimits,
  }
}

async function startPlugins(input: PluginAppInput, parts: Parts): Promise<Contributions> {
  const { core, accounts, options, pricing, rateLimits } = parts
  const contributions = new Contributions()
  contributions.plugins.push(...input.plugins)
  const more =
    typeof input.services === 'function'
      ? await input.services({ ...core, accounts, options, pricing })
      : input.services
  const shared = {
    ...core,
    accounts,
    options,
    pricing,
    rateLimits,
    guesses: parts.guesses,
    signIn: parts.signIn,
    log: quietLog,
    environment: { ...plainEnvironment, ...input.environment },
    mail: { send: () => Promise.resolve(), use: () => () => undefined },
    notifications: silent,
    ...more,
  } as SharedServices
  for (const plugin of input.plugins) {
    await migratePlugin(core.database, plugin, quietLog)
    await plugin.server?.(servicesFor(plugin.id, shared, contributions))
  }
  return contributions
}

function firstKind(): DatabaseKind {
  const [kind] = databaseKinds
  if (!kind) throw new Error('no database to test on')
  return kind
}

const plainEnvironment: EnvironmentView = {
  port: 0,
  dataDir: '/nowhere',
  version: '0.0.0-test',
  startedAtSeconds: 0,
  optionMinRole: 10,
  setupToken: '',
  updateCheckUrl: '',
  hasRedis: false,
  read: () => undefined,
}
