import { callerOf, envelope, type RouteApp } from '#core'
import type { LogClearing } from './clearing.ts'
import { clearingBody } from './schema.ts'

export function clearingRoutes(app: RouteApp, clearing: LogClearing): void {
  const config = { access: 'admin' } as const
  app.get('/api/log/clearing', { config }, async () => envelope(await clearing.last()))
  app.post('/api/log/clearing', { config, schema: { body: clearingBody } }, async (request) => {
    await clearing.begin(request.body.target_timestamp, callerOf(request).username)
    return envelope(await clearing.last())
  })
}
