import type { FastifyReply } from 'fastify'
import {
  callerOf,
  envelope,
  type PluginServices,
  positiveOf,
  readPage,
  type RouteApp,
  type TaskQuery,
} from '#core'
import { drawingOf } from './drawing.ts'
import { drawingQuery, type Drawing, type DrawingQuery } from './schema.ts'

type Services = Pick<PluginServices, 'tasks' | 'options'>

export function drawingRoutes(app: RouteApp, services: Services): void {
  const schema = (whose: string) => ({
    summary: `List ${whose}, newest first, by page; total in X-Total-Count`,
    querystring: drawingQuery,
  })
  const all = { config: { access: 'admin' }, schema: schema('drawing tasks of all users') } as const
  const own = { config: { access: 'user' }, schema: schema("one's own drawing tasks") } as const
  app.get('/api/mj/', all, async ({ query }, reply) => {
    const filter = { ...filterOf(query), channelId: positiveOf(query.channel_id) }
    return envelope(await listed(filter, query, reply, services))
  })
  app.get('/api/mj/self', own, async (request, reply) => {
    const filter = { ...filterOf(request.query), userId: callerOf(request).id }
    const drawings = await listed(filter, request.query, reply, services)
    // Only admins may know the channels.
    return envelope(drawings.map((drawing) => ({ ...drawing, channel_id: 0 })))
  })
}

async function listed(
  filter: TaskQuery,
  query: DrawingQuery,
  reply: FastifyReply,
  { tasks, options }: Services,
): Promise<Drawing[]> {
  const { page, pageSize: limit } = readPage(query, { firstPage: 0 })
  const { items, total } = await tasks.list(filter, { offset: page * limit, limit })
  reply.header('x-total-count', total)
  return items.map((task) => drawingOf(task, options))
}

function filterOf(query: DrawingQuery): TaskQuery {
  return {
    screen: 'drawing',
    taskId: query.mj_id || undefined,
    fromMs: positiveOf(query.start_timestamp),
    toMs: positiveOf(query.end_timestamp),
  }
}
