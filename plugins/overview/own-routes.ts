import { type AccountService, callerOf, type DatabaseService, envelope, type RouteApp } from '#core'
import type { HourSums } from './hour-sums.ts'
import { lastCallOf } from './last-call-report.ts'
import { dayQuery, type OwnOverview } from './schema.ts'
import { shownDays, weekStart } from './week.ts'

interface Services {
  database: DatabaseService
  accounts: Pick<AccountService, 'find'>
  sums: HourSums
}

/** The figures of a user's own account. */
export function ownRoutes(app: RouteApp, { database, accounts, sums }: Services): void {
  app.get(
    '/api/overview/self',
    {
      config: { access: 'user' },
      schema: {
        summary: "Show one's own balance, last call and sums of seven days",
        querystring: dayQuery,
      },
    },
    async (request) => {
      const { id } = callerOf(request)
      const [account, days, lastCall] = await Promise.all([
        accounts.find(id),
        sums.days(weekStart(request.query.start), shownDays, id),
        lastCallOf(database, id),
      ])
      return envelope({
        quota: account?.quota ?? 0,
        used_quota: account?.used_quota ?? 0,
        request_count: account?.request_count ?? 0,
        today: days.at(-1) ?? { quota: 0, calls: 0, errors: 0 },
        days,
        last_call: lastCall,
      } satisfies OwnOverview)
    },
  )
}
