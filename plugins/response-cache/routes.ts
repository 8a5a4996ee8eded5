import {
  callerOf,
  type ClusterBus,
  envelope,
  type LogService,
  manageRow,
  type RouteApp,
} from '#core'
import type { AnswerStore } from './answer-store.ts'
import type { Figures } from './figures.ts'
import type { Rules } from './rules.ts'
import type { CacheFigures } from './schema.ts'

export const CLEARED = 'response-cache.cleared'

interface CacheRouteDeps {
  store: AnswerStore
  figures: Figures
  rules: () => Rules
  cluster: Pick<ClusterBus, 'publish'>
  logs: LogService
}

export function cacheRoutes(app: RouteApp, deps: CacheRouteDeps): void {
  const config = { access: 'admin' } as const
  const figures = { summary: 'Show hits, misses and savings by day, and the size on this node' }
  app.get('/api/response-cache/', { config, schema: figures }, async () =>
    envelope<CacheFigures>({
      days: await deps.figures.days(),
      ...deps.store.size,
      most_bytes: deps.rules().mostBytes,
    }),
  )
  const clear = { summary: 'Empty the response cache on all nodes' }
  app.post('/api/response-cache/clear', { config, schema: clear }, async (request) => {
    await deps.cluster.publish(CLEARED, {})
    const facts = { op: 'response_cache_clear' }
    deps.logs.write(manageRow(callerOf(request), 'Cleared the response cache', facts))
    return envelope()
  })
}
