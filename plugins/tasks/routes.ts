import type { FastifyReply } from 'fastify'
import {
  callerOf,
  envelope,
  type PluginServices,
  positiveOf,
  readPage,
  type TaskQuery,
  type TaskRecord,
  type RouteApp,
} from '#core'
import { taskQuery, type Task, type TaskLogQuery } from './schema.ts'

type Services = Pick<PluginServices, 'tasks'>

export function taskRoutes(app: RouteApp, services: Services): void {
  const schema = (whose: string) => ({
    summary: `List ${whose}, newest first, by page; total in X-Total-Count`,
    querystring: taskQuery,
  })
  const all = { config: { access: 'admin' }, schema: schema('tasks of all users') } as const
  const own = { config: { access: 'user' }, schema: schema("one's own tasks") } as const
  app.get('/api/task/', all, async ({ query }, reply) => {
    const filter = { ...filterOf(query), channelId: positiveOf(query.channel_id) }
    return envelope(await listed(filter, query, reply, services))
  })
  app.get('/api/task/self', own, async (request, reply) => {
    const filter = { ...filterOf(request.query), userId: callerOf(request).id }
    const tasks = await listed(filter, request.query, reply, services)
    // Only admins may know the channels.
    return envelope(tasks.map((task) => ({ ...task, channel_id: 0 })))
  })
}

async function listed(
  filter: TaskQuery,
  query: TaskLogQuery,
  reply: FastifyReply,
  { tasks }: Services,
): Promise<Task[]> {
  const { page, pageSize: limit } = readPage(query, { firstPage: 0 })
  const { items, total } = await tasks.list(filter, { offset: page * limit, limit })
  reply.header('x-total-count', total)
  return items.map(shown)
}

function filterOf(query: TaskLogQuery): TaskQuery {
  return {
    screen: 'tasks',
    taskId: query.task_id || undefined,
    platform: query.platform || undefined,
    action: query.action || undefined,
    status: query.status || undefined,
    fromMs: milliseconds(query.start_timestamp),
    toMs: lastMillisecond(query.end_timestamp),
  }
}

function shown(task: TaskRecord): Task {
  return {
    id: task.id,
    created_at: task.created_at,
    updated_at: task.updated_at,
    task_id: task.task_id,
    platform: task.platform,
    user_id: task.user_id,
    channel_id: task.channel_id,
    quota: task.quota,
    action: task.action,
    status: task.status,
    fail_reason: task.fail_reason,
    submit_time: seconds(task.submit_ms),
    start_time: seconds(task.start_ms),
    finish_time: seconds(task.finish_ms),
    progress: task.progress,
    properties: { input: task.input },
    data: task.data,
  }
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000)
}

function milliseconds(secondsText: string | undefined): number | undefined {
  const value = positiveOf(secondsText)
  return value === undefined || value > 1e12 ? undefined : value * 1000
}

/** The end is inclusive: the whole of that second counts. */
function lastMillisecond(secondsText: string | undefined): number | undefined {
  const start = milliseconds(secondsText)
  return start === undefined ? undefined : start + 999
}
