import {
  type ChannelService,
  channelStatus,
  type DatabaseService,
  envelope,
  type OptionService,
  type PricingService,
  role,
  userStatus,
  type RouteApp,
} from '#core'
import type { HourSums } from './hour-sums.ts'
import { lastCallOf } from './last-call.ts'
import {
  type AdminOverview,
  type Checklist,
  dayQuery,
  type LowBalance,
  type OffChannel,
} from './schema.ts'
import { shownDays, weekStart } from './week.ts'

interface Services {
  database: DatabaseService
  channels: Pick<ChannelService, 'enabledModels'>
  pricing: Pick<PricingService, 'isPriced'>
  options: Pick<OptionService, 'get' | 'schemaOf'>
  sums: HourSums
}

/** How many of each are named; the rest is a number. */
const named = 5
const reminderOption = 'QuotaRemindThreshold'
/** Where no reminder is set: a dollar's worth of units is low enough to say so. */
const lowByDefault = 500_000

/** The figures of the whole gateway, for admins. */
export function adminRoutes(app: RouteApp, services: Services): void {
  app.get(
    '/api/overview',
    { config: { access: 'admin' }, schema: { querystring: dayQuery } },
    async (request) => {
      const [days, channels, lowBalances, checklist] = await Promise.all([
        services.sums.days(weekStart(request.query.start), shownDays),
        channelsOff(services.database),
        balancesLow(services),
        checklistOf(services),
      ])
      return envelope({
        today: days.at(-1) ?? { quota: 0, calls: 0, errors: 0 },
        days,
        channels,
        low_balances: lowBalances,
        checklist,
      } satisfies AdminOverview)
    },
  )
}

interface ChannelRow {
  id: number
  name: string
  type: number
  other_info: string
}

async function channelsOff(database: DatabaseService): Promise<AdminOverview['channels']> {
  const [counted] = await database.select<{ enabled: number }>(
    'SELECT COUNT(*) AS enabled FROM channels WHERE status = :status',
    { status: channelStatus.enabled },
  )
  const rows = await database.select<ChannelRow>(
    'SELECT id, name, type, other_info FROM channels WHERE status = :status',
    { status: channelStatus.disabledAutomatically },
  )
  const off = rows.map(offChannel).sort((a, b) => b.status_time - a.status_time)
  return {
    enabled: counted?.enabled ?? 0,
    off: off.slice(0, named),
    off_count: off.length,
  }
}

function offChannel({ other_info, ...channel }: ChannelRow): OffChannel {
  const { status_reason = '', status_time = 0 } = readInfo(other_info)
  return { ...channel, status_reason, status_time }
}

function readInfo(text: string): { status_reason?: string; status_time?: number } {
  try {
    return text === '' ? {} : (JSON.parse(text) as object)
  } catch {
    return {}
  }
}

/** Customers who have called and have little left: they will stop being served. */
async function balancesLow({
  database,
  options,
}: Services): Promise<AdminOverview['low_balances']> {
  // The plugin that reminds may be off.
  const isKnown = options.schemaOf(reminderOption) !== undefined
  const threshold = (isKnown && options.get<number>(reminderOption)) || lowByDefault
  const low = `deleted_at IS NULL AND status = :status AND role < :admin AND request_count > 0 AND quota + leased < :threshold`
  const values = { threshold, status: userStatus.active, admin: role.admin }
  const [counted] = await database.select<{ count: number }>(
    `SELECT COUNT(*) AS count FROM users WHERE ${low}`,
    values,
  )
  const users = await database.select<LowBalance>(
    `SELECT id, username, quota + leased AS quota FROM users WHERE ${low} ORDER BY quota + leased, id LIMIT ${named}`,
    values,
  )
  return { users, count: counted?.count ?? 0, threshold }
}

async function checklistOf(services: Services): Promise<Checklist> {
  const { channels, database, options, pricing } = services
  const [models, tokens, callers, lastCall] = await Promise.all([
    channels.enabledModels(),
    database.select('SELECT id FROM tokens WHERE deleted_at IS NULL LIMIT 1'),
    database.select('SELECT id FROM users WHERE request_count > 0 LIMIT 1'),
    lastCallOf(database),
  ])
  const isFree = options.get<boolean>('SelfUseModeEnabled')
  return {
    channel: models.length > 0,
    price: models.length > 0 && (isFree || models.some((model) => pricing.isPriced(model))),
    token: tokens.length > 0,
    call: callers.length > 0 || lastCall !== null,
    last_call: lastCall,
  }
}
