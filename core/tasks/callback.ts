import type { FastifyRequest } from 'fastify'
import {
  taskRefusal,
  type TaskCallbackRoute,
  type TaskPlatform,
  type TaskRequest,
} from '../contract/task.ts'
import { isSameSecret } from '../contract/same-secret.ts'
import { applyReport } from './progress.ts'
import type { TaskDeps } from './task-deps.ts'
import type { TaskRow } from '../data/models/task.ts'
import { viewWithKey } from './task-key.ts'

/** Takes an upstream's message about an unfinished task, by the same rules as a poll. The caller must know the secret
 *  in the hook address that this gateway has given out for this task, or the key of the task's channel. */
export async function takeCallback(
  route: TaskCallbackRoute,
  request: FastifyRequest,
  { body, query, options }: TaskRequest,
  platform: TaskPlatform,
  deps: TaskDeps,
): Promise<void> {
  // The same answer for everything that is wrong, so that nobody can find out which ids exist.
  const refused = () => taskRefusal('task_not_found', 400)
  if (!route.isOn(options)) throw refused()
  const report = route.read(body)
  if (report === undefined) throw refused()
  const secret = typeof query['key'] === 'string' ? query['key'] : ''
  const header = platform.keyHeader && request.headers[platform.keyHeader.name]
  const key = typeof header === 'string' ? header : ''
  const tasks = await deps.store.openOf(platform.id, report.taskId)
  const allowed = tasks.filter(
    (task) => holdsSecret(task, secret, deps) || holdsKey(task, key, deps),
  )
  if (allowed.length === 0) throw refused()
  for (const task of allowed) await applyReport(task, report, platform, deps)
}

function holdsSecret(task: TaskRow, secret: string, { secrets }: TaskDeps): boolean {
  if (secret === '' || task.hook_hash === '') return false
  return isSameSecret(secrets.lookup('code', secret), task.hook_hash)
}

function holdsKey(task: TaskRow, key: string, { index, secrets }: TaskDeps): boolean {
  const channel = index().find(task.channel_id)
  if (key === '' || channel === undefined) return false
  return isSameSecret(key, viewWithKey(channel, task.key_hash, secrets).key)
}
