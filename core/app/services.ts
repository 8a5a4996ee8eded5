// Creates the long-lived services in the order of their dependencies. Plugins get only what a group lists as
// `forPlugins` (`PluginServices` in the contract).
import { Accounts } from '../accounts/accounts.ts'
import { createCallers } from '../accounts/callers.ts'
import { Guesses } from '../accounts/guesses.ts'
import { Sessions } from '../accounts/sessions.ts'
import { foldEntries } from '../billing/ledger/fold-entries-sql.ts'
import { Ledger } from '../billing/ledger/ledger.ts'
import { RecentCosts } from '../billing/recent-costs.ts'
import { createPricing } from '../billing/prices/pricing.ts'
import { createChannels } from '../channels/channels.ts'
import { createClusterBus } from '../cluster/bus.ts'
import { closeAll } from './close-all.ts'
import { createLeaderLock } from '../cluster/leader-lock.ts'
import type { Adapter } from '../contract/adapter.ts'
import type { Notifier } from '../contract/plugin.ts'
import { coreOptions, type DefaultMaps } from './core-options.ts'
import { AnswerRoom } from '../relay/attempt/answer-room.ts'
import { openDatabase } from '../data/database.ts'
import { changeIndexesLater, migrate } from '../data/migrate.ts'
import type { GatewaySettings } from './gateway-settings.ts'
import { optionTable } from './option-table.ts'
import { createRateClasses } from '../http/access/rate-classes.ts'
import type { SharedServices } from '../kernel/contributions.ts'
import { createEventBus } from '../kernel/event-bus.ts'
import { OptionHistory } from '../kernel/options/option-history.ts'
import { OptionStore } from '../kernel/options/option-store.ts'
import { createSchedule, type Schedule } from '../kernel/schedule.ts'
import { CallFigures } from '../observability/call-figures.ts'
import type { Log } from '../observability/log.ts'
import { Nodes } from '../observability/nodes.ts'
import type { OwnedJob } from '../logs/log-readers.ts'
import { LogSinks, type OwnedSink } from '../logs/log-sinks.ts'
import { sumNewLogs } from '../logs/sum-new-logs-sql.ts'
import { CappedLogs } from '../logs/capped-logs.ts'
import { createUsageLog } from '../logs/usage-log.ts'
import { createHttpClient } from '../net/http-client.ts'
import { type CommonWindows, createRateLimits } from '../limits/rate-limits.ts'
import { createMail, createNotifications } from '../accounts/notifications.ts'
import { redisOf } from './redis-of.ts'
import type { CallTraces } from '../relay/call/call-traces.ts'
import { ChannelAffinity } from '../relay/conversation/channel-affinity.ts'
import { OpenCalls } from '../relay/call/open-calls.ts'
import { OpenSockets } from '../http/open-sockets.ts'
import { Loopback } from '../http/loopback.ts'
import { socketTurnBounds } from '../relay/response-socket/response-socket.ts'
import { KeptTexts } from '../relay/conversation/kept-texts.ts'
import { LiveSessions } from '../relay/call/live-sessions.ts'
import { AnswerItems } from '../relay/conversation/answer-items.ts'
import { MovedItems } from '../relay/conversation/moved-items.ts'
import { BackgroundResponses } from '../relay/conversation/background-responses.ts'
import { StoredResponses } from '../relay/conversation/stored-responses.ts'
import type { LogRedaction } from '../secrets/log-redaction.ts'
import { checkMasterKey, openSecrets } from '../secrets/check-master-key.ts'
import { hasKeyFile } from '../secrets/master-key.ts'
import { createSignIn } from '../sign-in/complete.ts'
import { Factors } from '../sign-in/factors.ts'
import { Passkeys } from '../sign-in/passkeys.ts'
import { type SecondFactorDeps, SecondFactors } from '../sign-in/second-factors.ts'
import { createTokens } from '../tokens/tokens.ts'

const ONE_HOUR_MS = 3_600_000
const ONE_DAY_MS = 24 * ONE_HOUR_MS
const LOG_SUMS_MS = 60_000
/** Soon after an upgrade, since without missing indexes the job only looks up a few names. */
const INDEXES_MS = 2 * 60_000

export interface ServiceInput {
  settings: GatewaySettings
  /** An absolute path. */
  dataDir: string
  defaults: DefaultMaps
  log: Log
  /** The redaction that the log was created with. */
  redaction: LogRedaction
  /** The adapters of the current generation. */
  adapters: () => readonly Adapter[]
  notifiers: () => readonly Notifier[]
  logSinks: () => readonly OwnedSink[] | undefined
  jobs: () => readonly OwnedJob[]
  /** Counts limits together with other processes on this port. */
  windows: CommonWindows | undefined
  /** Undefined while traces are off. */
  traces: CallTraces | undefined
  /** The generation that serves. */
  generation: () => { number: number; inFlight: number }
}

export type Services = Awaited<ReturnType<typeof createServices>>

export async function createServices(input: ServiceInput) {
  const base = await createBase(input)
  const people = createPeople(base, input)
  const work = await createWork(input, base, people)
  const closing = [
    work.closeGroup,
    people.closeGroup,
    base.closeGroup,
    async () => input.traces?.close(),
  ]
  return {
    ...base,
    ...people,
    ...work,
    log: input.log,
    traces: input.traces,
    forPlugins: { ...base.forPlugins, ...people.forPlugins, ...work.forPlugins },
    // Pending charges are committed before anything that they need is closed.
    close: () => closeAll(closing),
  }
}

type Base = Awaited<ReturnType<typeof createBase>>
type People = ReturnType<typeof createPeople>

/** Data, secrets, options and the ledger. */
async function createBase(input: ServiceInput) {
  const { settings, dataDir, defaults, log } = input
  const database = await openDatabase({ url: settings.databaseUrl || undefined, dataDir, log })
  const { secretKey } = settings
  const keySource = { secretKey, dataDir, isNew: secretKey === '' && !hasKeyFile(dataDir) }
  const secrets = await openSecrets(database, keySource)
  await migrate(database, log)
  await checkMasterKey({ database, secrets }, keySource)
  const redis = await redisOf(settings, database)
  const cluster = await createClusterBus({ database, redis, log })
  const events = createEventBus(log)
  const answers = new AnswerRoom(settings.answerBytes)
  const http = createHttpClient({ ssrfAllow: [...settings.ssrfAllow], answers })
  const table = optionTable(database)
  const options = new OptionStore({ table, secrets, cluster, log })
  const optionHistory = new OptionHistory(table, options)
  options.define([{ owner: 'core', definitions: coreOptions(defaults) }])
  await options.load()
  options.onChange((key) => events.emit('option.changed', { key }))
  const { ledger, logs, logSinks } = await openLedger(input, { database, events, cluster, options })
  options.logs = logs
  const rateLimits = createRateLimits({ redis, log, common: input.windows })
  const guesses = new Guesses({ rateLimits })
  const factors = createFactors({ database, secrets, guesses, options })
  const rateClasses = createRateClasses({ rateLimits, settings: settings.rateClasses })
  const closeGroup = async () => {
    logs.flush()
    await ledger.close()
    options.close()
    await http.close()
    await rateLimits.close()
    await cluster.close()
    await database.close()
  }
  const forPlugins = {
    database,
    secrets,
    cluster,
    events,
    http,
    options,
    ledger,
    logs,
    rateLimits,
    guesses,
    signIn: createSignIn(factors.factors),
  } satisfies Partial<SharedServices>
  return {
    ...forPlugins,
    ...factors,
    answers,
    optionHistory,
    logSinks,
    rateClasses,
    forPlugins,
    closeGroup,
  }
}

/** What accounts may require in addition to the first factor. */
function createFactors(deps: SecondFactorDeps) {
  const secondFactors = new SecondFactors(deps)
  const passkeys = new Passkeys(deps)
  const factors = new Factors({ ...deps, secondFactors, passkeys })
  return { secondFactors, passkeys, factors }
}

/** Before anything else, returns what an ended process had reserved. */
async function openLedger(
  { log, redaction, logSinks: sinks }: ServiceInput,
  parts: Pick<Parameters<typeof Ledger.open>[0], 'database' | 'events' | 'options'> & {
    cluster: Awaited<ReturnType<typeof createClusterBus>>
  },
) {
  const logSinks = new LogSinks({ log, sinks })
  const { nodeId } = parts.cluster
  const ledger = await Ledger.open({ ...parts, nodeId, log, redaction, audience: logSinks })
  const returned = await ledger.recover()
  if (returned > 0)
    log.info({ leases: returned }, 'what an ended process had reserved was returned')
  return { ledger, logs: new CappedLogs(ledger.logs), logSinks }
}

/** Accounts, sessions, tokens and prices. */
function createPeople(
  { database, secrets, cluster, events, options, ledger, logs }: Base,
  { adapters, log }: ServiceInput,
) {
  const sessions = new Sessions({ database, secrets, cluster, events })
  const callers = createCallers({ database, secrets, cluster })
  const pricing = createPricing({ options, adapters, log })
  const accounts = new Accounts({
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
  const closeGroup = async () => {
    tokens.close()
    accounts.close()
    callers.close()
    pricing.close()
    sessions.close()
  }
  const forPlugins = { pricing, accounts, tokens } satisfies Partial<SharedServices>
  return { ...forPlugins, sessions, callers, forPlugins, closeGroup }
}

/** Current figures of this process and the others. */
function createFigures(
  { settings, generation }: ServiceInput,
  { cluster, events, ledger }: Base,
  sessions: readonly LiveSessions[],
) {
  const calls = new CallFigures(events)
  const facts = {
    inFlight: () => generation().inFlight,
    generation: () => generation().number,
    realtimeSessions: () => sessions.reduce((sum, { size }) => sum + size, 0),
    ledger: () => ledger.load,
    isBusAway: () => cluster.isAway,
  }
  return { calls, monitoring: new Nodes({ cluster, calls, version: settings.version, facts }) }
}

/** Core's periodic jobs; one node runs them for all. */
function startJobs(
  schedule: Schedule,
  {
    database,
    responses,
    items,
    log,
    settings,
  }: Pick<Base, 'database'> &
    Pick<ServiceInput, 'log' | 'settings'> & { responses: StoredResponses; items: MovedItems },
): void {
  const isLeaderOnly = true
  schedule.start({
    id: 'stored-responses',
    everyMs: ONE_HOUR_MS,
    isLeaderOnly,
    run: (signal) => responses.sweep(signal),
  })
  schedule.start({
    id: 'forgotten-turns',
    everyMs: ONE_HOUR_MS,
    isLeaderOnly,
    run: () => items.sweep(),
  })
  schedule.start({
    id: 'log-sums',
    everyMs: LOG_SUMS_MS,
    isLeaderOnly,
    run: (signal) => sumNewLogs(database, { signal }),
  })
  schedule.start({
    id: 'indexes',
    everyMs: INDEXES_MS,
    isLeaderOnly,
    run: (signal) => changeIndexesLater(database, { log, signal }),
  })
  const { ledgerEntryDays } = settings
  if (ledgerEntryDays === 0) return
  schedule.start({
    id: 'ledger-entries',
    everyMs: ONE_HOUR_MS,
    isLeaderOnly,
    run: async (signal) => {
      const before = Math.floor((Date.now() - ledgerEntryDays * ONE_DAY_MS) / 1000)
      const entries = await foldEntries(database, { before, signal })
      if (entries > 0) log.info({ entries }, 'old ledger entries of calls were carried forward')
    },
  })
}

/** Channels, notices and jobs. */
async function createWork(input: ServiceInput, base: Base, { accounts, pricing }: People) {
  const { settings, log } = input
  const { database, rateLimits } = base
  const channels = createChannels({ ...base, pricing, adapters: input.adapters, log })
  input.redaction.useChannels((id) => channels.index().find(id)?.secrets)
  const notifications = createNotifications({
    accounts,
    rateLimits,
    notifiers: input.notifiers,
    log,
    limitCount: settings.notifyLimitCount,
    limitMinutes: settings.notifyLimitMinutes,
  })
  const leaderLock = await createLeaderLock({ database, log })
  const schedule = createSchedule({ log, leaderLock })
  const responses = new StoredResponses({ ...base, log })
  const background = new BackgroundResponses(base.cluster)
  const realtime = new LiveSessions(settings.realtime)
  const { all, perUser } = settings.realtime
  // They wait most of the time, and one agent may have several.
  const responseSockets = new LiveSessions({ all, perUser: perUser * 5 })
  const { calls, monitoring } = createFigures(input, base, [realtime, responseSockets])
  const items = new MovedItems({ ...base, items: new AnswerItems(), nodes: monitoring, log })
  startJobs(schedule, { ...base, responses, items, log, settings })
  const closeGroup = async () => {
    monitoring.close()
    calls.close()
    await schedule.close()
    items.close()
    background.close()
    await responses.close()
    await channels.close()
    await leaderLock.close()
  }
  const forPlugins = {
    channels,
    notifications,
    usageLog: createUsageLog({ database, readers: { log, jobs: input.jobs } }),
    monitoring,
    mail: createMail(),
  } satisfies Partial<SharedServices>
  return {
    ...forPlugins,
    affinity: new ChannelAffinity(),
    recentCosts: new RecentCosts(),
    calls,
    realtime,
    responseSockets,
    sockets: new OpenSockets(),
    turns: new KeptTexts(socketTurnBounds),
    loopback: new Loopback(),
    openCalls: new OpenCalls(settings.openCalls),
    responses,
    items,
    background,
    schedule,
    forPlugins,
    closeGroup,
  }
}
