import { callerOf, envelope, errorType, type PluginServices, type RouteApp } from '#core'
import type { Span } from './all-hours-sql.ts'
import { countedAt, type HoursQuery, readHours } from './hours-report.ts'
import { MONDAY_OFFSET } from './model-weeks-sql.ts'
import { readSpenders } from './spenders-report.ts'
import { dataQuery, ownDataQuery, spendersQuery, type DataQuery } from './schema.ts'

const ONE_DAY_S = 86_400
const OWN_SPAN_S = 30 * ONE_DAY_S
const ADMIN_SPAN_S = 366 * ONE_DAY_S
/** The largest difference of a clock from UTC. */
const FARTHEST_OFFSET = 14 * 3600

const spanTooLong = errorType<{ days: number }>('dashboard.span_too_long', 400, {
  en: 'A span of at most {days} days can be shown.',
  zh: '时间跨度不能超过 {days} 天。',
})

export function dashboardRoutes(
  app: RouteApp,
  { database, options }: Pick<PluginServices, 'database' | 'options'>,
): void {
  const answer = async (query: HoursQuery) => {
    const { rows, modelCount } = await readHours(database, query)
    const folded = modelCount === undefined ? {} : { model_count: modelCount }
    const counts = ['LogConsumeEnabled', 'DataExportEnabled'].every((key) => options.get(key))
    const stopped = counts ? {} : { is_stopped: true }
    return envelope(rows, { counted_at: await countedAt(database), ...stopped, ...folded })
  }

  const all = {
    summary: 'Sum calls, tokens and quota by model and time, of all users or of one',
    querystring: dataQuery,
  }
  app.get('/api/data/', { config: { access: 'admin' }, schema: all }, ({ query }) => {
    const username = query.username?.trim() || undefined
    const userId = wholeNumber(query.user_id)
    return answer({ ...spanOf(query, ADMIN_SPAN_S), step: stepOf(query), userId, username })
  })
  const own = {
    summary: "Sum one's own calls, tokens and quota by model and time",
    querystring: ownDataQuery,
  }
  app.get('/api/data/self', { config: { access: 'user' }, schema: own }, (request) =>
    answer({
      ...spanOf(request.query, OWN_SPAN_S),
      step: stepOf(request.query),
      userId: callerOf(request).id,
    }),
  )
  const users = {
    summary: 'List the 100 users who spent most in a span of time',
    querystring: spendersQuery,
  }
  app.get('/api/data/users', { config: { access: 'admin' }, schema: users }, async ({ query }) =>
    envelope(await readSpenders(database, spanOf(query, ADMIN_SPAN_S))),
  )
}

/** Both bounds are inclusive. @throws dashboard.span_too_long */
function spanOf({ start_timestamp, end_timestamp }: DataQuery, longest: number): Span {
  const end = wholeNumber(end_timestamp) ?? Math.floor(Date.now() / 1000)
  const start = wholeNumber(start_timestamp) ?? Math.max(0, end - OWN_SPAN_S)
  if (end - start > longest) throw spanTooLong({ days: longest / ONE_DAY_S })
  return { start, end }
}

function stepOf({ default_time: unit, timezone_offset: text }: DataQuery): HoursQuery['step'] {
  const zone = Number(text?.trim() || Number.NaN)
  if (!Number.isInteger(zone) || Math.abs(zone) > FARTHEST_OFFSET) return undefined
  if (unit === 'day') return { seconds: ONE_DAY_S, offset: zone }
  if (unit === 'week') return { seconds: 7 * ONE_DAY_S, offset: zone + MONDAY_OFFSET }
  return undefined
}

/** A time in Unix seconds or an id. Undefined for everything else, `NaN` and `undefined` included. */
function wholeNumber(text: string | undefined): number | undefined {
  const value = Number(text?.trim() || Number.NaN)
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
