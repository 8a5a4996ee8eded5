// The long-lived services, made in the order of their needs.
import type { Environment } from '../config/environment.ts'
import { createAccounts } from './accounts/accounts.ts'
import { createCallers } from './accounts/callers.ts'
import { createSessions } from './accounts/sessions.ts'
import { Ledger } from './billing/ledger.ts'
import { createPricing } from './billing/pricing.ts'
import { createChannels } from './channels/channels.ts'
import { createClusterBus } from './cluster/bus.ts'
import { createLeaderLock } from './cluster/leader-lock.ts'
import type { Adapter } from './contract/adapter.ts'
import type { Notifier } from './contract/plugin.ts'
import { openDatabase } from './data/database.ts'
import { migrate } from './data/migrate.ts'
import { createRateClasses } from './http/rate-classes.ts'
import { createEventBus } from './kernel/event-bus.ts'
import { OptionStore } from './kernel/option-store.ts'
import { createSchedule } from './kernel/schedule.ts'
import { coreOptions, type DefaultMaps } from './core-options.ts'
import { createUsageLog } from './logs/usage-log.ts'
import { createHttpClient } from './net/http-client.ts'
import { createRateLimits } from './net/rate-limits.ts'
import { createMail, createNotifications } from './notifications.ts'
import { createSecrets, loadMasterKey } from './secrets/secrets.ts'
import { createTokens } from './tokens/tokens.ts'
import type { Log } from './log.ts'

export interface ServiceInput {
  environment: Environment
  dataDir: string
  defaults: DefaultMaps
  log: Log
  /** Of the current generation. */
  adapters: () => readonly Adapter[]
  notifiers: () => readonly Notifier[]
}

export type Services = Awaited<ReturnType<typeof createServices>>

export async function createServices(input: ServiceInput) {
  const { environment, log } = input
  const base = await createBase(input)
  const { database, secrets, cluster, events, http, options, ledger, rateLimits } = base
  const { logs } = ledger
  options.logs = logs
  const sessions = createSessions({ database, secrets, cluster })
  const callers = createCallers({ database, secrets, events })
  const pricing = createPricing({ options, log })
  const accounts = createAccounts({
    database,
    secrets,
    ledger,
    options,
    events,
    logs,
    cluster,
    sessions,
  })
  const tokens = createTokens({ database, secrets, ledger, events, pricing, cluster })
  const channels = await createChannels({
    database,
    secrets,
    options,
    events,
    http,
    logs,
    pricing,
    cluster,
    adapters: input.adapters,
    log,
  })
  const notifications = createNotifications({
    accounts,
    rateLimits,
    notifiers: input.notifiers,
    log,
    limitCount: environment.NOTIFY_LIMIT_COUNT,
    limitMinutes: environment.NOTIFICATION_LIMIT_DURATION_MINUTE,
  })
  const leaderLock = await createLeaderLock({ database, log })
  const schedule = createSchedule({ log, leaderLock })
  const usageLog = createUsageLog({ database })
  const mail = createMail()
  const made = {
    ...base,
    logs,
    sessions,
    callers,
    pricing,
    accounts,
    tokens,
    channels,
    notifications,
    schedule,
    usageLog,
    mail,
  }
  return {
    ...made,
    rateClasses: rateClassesOf(environment, rateLimits),
    close: () => closeAll(made, leaderLock),
  }
}

async function createBase({ environment, dataDir, defaults, log }: ServiceInput) {
  const database = await openDatabase({ url: environment.DATABASE_URL || undefined, dataDir, log })
  await migrate(database, log)
  const secrets = createSecrets(await loadMasterKey({ secretKey: environment.SECRET_KEY, dataDir }))
  const redisUrl = environment.REDIS_URL || undefined
  const cluster = await createClusterBus({ database, redisUrl, log })
  const events = createEventBus(log)
  const http = createHttpClient({ ssrfAllow: listOf(environment.SSRF_ALLOW), log })
  const options = new OptionStore({ database, secrets, cluster, log })
  options.define([{ owner: 'core', definitions: coreOptions(defaults) }])
  await options.load()
  const ledger = await Ledger.open({ database, nodeId: cluster.nodeId, log, events })
  const returned = await ledger.recover()
  if (returned > 0) log.info({ leases: returned }, 'reservations of an ended process were returned')
  const rateLimits = createRateLimits({ redisUrl, log })
  return { database, secrets, cluster, events, http, options, ledger, rateLimits }
}

interface Closable {
  ledger: Ledger
  schedule: { close(): Promise<void> }
  channels: { close(): Promise<void> }
  tokens: { close(): void }
  accounts: { close(): void }
  callers: { close(): void }
  sessions: object
  pricing: { close(): void }
  options: { close(): void }
  http: { close(): Promise<void> }
  rateLimits: { close(): Promise<void> }
  cluster: { close(): Promise<void> }
  database: { close(): Promise<void> }
}

/** Money first: what is owed is committed before anything it needs goes away. */
async function closeAll(made: Closable, leaderLock: object): Promise<void> {
  await made.schedule.close()
  await made.channels.close()
  made.tokens.close()
  made.accounts.close()
  made.callers.close()
  await made.ledger.close()
  made.pricing.close()
  made.options.close()
  if ('close' in made.sessions && typeof made.sessions.close === 'function') made.sessions.close()
  if ('close' in leaderLock && typeof leaderLock.close === 'function') await leaderLock.close()
  await made.http.close()
  await made.rateLimits.close()
  await made.cluster.close()
  await made.database.close()
}

function rateClassesOf(
  environment: Environment,
  rateLimits: Awaited<ReturnType<typeof createBase>>['rateLimits'],
) {
  return createRateClasses({
    rateLimits,
    settings: {
      'global-api': {
        isEnabled: environment.GLOBAL_API_RATE_LIMIT_ENABLE,
        limit: environment.GLOBAL_API_RATE_LIMIT,
        windowSeconds: environment.GLOBAL_API_RATE_LIMIT_DURATION,
      },
      'global-web': {
        isEnabled: environment.GLOBAL_WEB_RATE_LIMIT_ENABLE,
        limit: environment.GLOBAL_WEB_RATE_LIMIT,
        windowSeconds: environment.GLOBAL_WEB_RATE_LIMIT_DURATION,
      },
      critical: {
        isEnabled: environment.CRITICAL_RATE_LIMIT_ENABLE,
        limit: environment.CRITICAL_RATE_LIMIT,
        windowSeconds: environment.CRITICAL_RATE_LIMIT_DURATION,
      },
    },
  })
}

/** A comma list of the environment. */
export function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '')
}
