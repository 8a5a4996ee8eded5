import { definePlugin } from '#core'
import { logAutomaticChanges } from './change-log.ts'
import { channelJobs } from './jobs.ts'
import { modelRoutes } from './model-routes.ts'
import { notifyAdmins } from './notices.ts'
import { channelRoutes } from './routes.ts'
import { tagRoutes } from './tag-routes.ts'
import { upstreamRoutes } from './upstream-routes.ts'

export default definePlugin({
  id: 'channels',
  summary: { en: 'Channels to upstream providers', zh: '上游渠道管理' },
  server(services) {
    services.routes.add((app) => {
      channelRoutes(app, services)
      tagRoutes(app, services)
      upstreamRoutes(app, services)
      modelRoutes(app, services)
    })
    for (const job of channelJobs(services)) services.jobs.add(job)
    const disposers = [notifyAdmins(services), logAutomaticChanges(services)]
    return () => {
      for (const dispose of disposers) dispose()
    }
  },
})
