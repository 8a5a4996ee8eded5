import {
  type ChannelService,
  type DatabaseService,
  envelope,
  optionOr,
  type OptionService,
  type PricingService,
  type RouteApp,
} from '#core'
import type { HourSums } from './hour-sums.ts'
import { lastCallOf } from './last-call-report.ts'
import { balancesLow, channelsOff, hasCalls, hasTokens } from './standing-report.ts'
import { type AdminOverview, type Checklist, dayQuery } from './schema.ts'
import { unnamedProxyOf } from './unnamed-proxy.ts'
import { shownDays, weekStart } from './week.ts'

interface Services {
  database: DatabaseService
  channels: Pick<ChannelService, 'enabledModels'>
  pricing: Pick<PricingService, 'isPriced'>
  options: Pick<OptionService, 'get' | 'schemaOf'>
  sums: HourSums
}

const reminderOption = 'QuotaRemindThreshold'
/** The threshold of a low balance where no reminder is set: units worth one dollar. */
const lowByDefault = 500_000

/** The figures of the whole gateway, for admins. */
export function adminRoutes(app: RouteApp, services: Services): void {
  app.get(
    '/api/overview',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'Show sums of seven days, failed channels, low balances and what to set up',
        querystring: dayQuery,
      },
    },
    async (request) => {
      const [days, channels, lowBalances, checklist] = await Promise.all([
        services.sums.days(weekStart(request.query.start), shownDays),
        channelsOff(services.database),
        balancesLow(services.database, thresholdOf(services.options)),
        checklistOf(services),
      ])
      return envelope({
        today: days.at(-1) ?? { quota: 0, calls: 0, errors: 0 },
        days,
        channels,
        low_balances: lowBalances,
        checklist,
        unnamed_proxy: unnamedProxyOf(request),
      } satisfies AdminOverview)
    },
  )
}

async function checklistOf(services: Services): Promise<Checklist> {
  const { channels, database, options, pricing } = services
  const [models, token, isUsed, lastCall] = await Promise.all([
    channels.enabledModels(),
    hasTokens(database),
    hasCalls(database),
    lastCallOf(database),
  ])
  const isFree = options.get<boolean>('SelfUseModeEnabled')
  const unpriced = isFree ? 0 : models.filter((model) => !pricing.isPriced(model)).length
  return {
    channel: models.length > 0,
    price: models.length > unpriced,
    unpriced,
    token,
    call: isUsed || lastCall !== null,
    last_call: lastCall,
  }
}

function thresholdOf(options: Services['options']): number {
  return optionOr(options, reminderOption, 0) || lowByDefault
}
