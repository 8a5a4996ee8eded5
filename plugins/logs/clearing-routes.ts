import {
  callerOf,
  envelope,
  errorType,
  type PluginServices,
  positiveOf,
  type RouteApp,
} from '#core'
import { endOf, type LogClearing } from './clearing.ts'
import { clearingBody, deleteQuery } from './schema.ts'

const noTime = errorType('logs.no_target_time', 400, {
  en: 'target_timestamp must be a time in seconds, above 0.',
  zh: 'target_timestamp 必须是大于 0 的时间戳（秒）。',
})

export function clearingRoutes(
  app: RouteApp,
  clearing: Pick<LogClearing, 'last' | 'begin' | 'clear' | 'cancel'>,
  { usageLog }: Pick<PluginServices, 'usageLog'>,
): void {
  const config = { access: 'admin' } as const
  const cleared = {
    summary: 'Delete the log rows before a time; answers at the end with their number',
    querystring: deleteQuery,
  }
  app.delete('/api/log/', { config, schema: cleared }, async (request) => {
    const before = positiveOf(request.query.target_timestamp)
    if (before === undefined) throw noTime()
    const most = positiveOf(request.query.limit)
    // A limited deletion is not recorded as a clearing: another process would continue it beyond the limit.
    return envelope(
      most === undefined
        ? await clearing.clear(before, callerOf(request).username)
        : await usageLog.deleteBefore(endOf(before), most),
    )
  })
  const last = { summary: 'Show the deletion of log rows that was begun last; null if none was' }
  app.get('/api/log/clearing', { config, schema: last }, async () =>
    envelope(await clearing.last()),
  )
  const begun = {
    summary: 'Delete the log rows before a time in the background; answers at once',
    body: clearingBody,
  }
  app.post('/api/log/clearing', { config, schema: begun }, async (request) => {
    await clearing.begin(request.body.target_timestamp, callerOf(request).username)
    return envelope(await clearing.last())
  })
  const stopped = { summary: 'Stop the deletion of log rows that runs; answers as GET does' }
  app.post('/api/log/clearing/stop', { config, schema: stopped }, async () => {
    await clearing.cancel()
    return envelope(await clearing.last())
  })
}
