import { UpstreamError } from '../contract/errors.ts'
import {
  taskRefusal,
  type OwnTasks,
  type TaskForwardRoute,
  type TaskPlatform,
  type TaskRequest,
} from '../contract/task.ts'
import { relayErrors } from '../relay/call/relay-errors.ts'
import { redactValue } from '../secrets/redact.ts'
import { withoutHookSecrets } from './hook-address.ts'
import type { TaskDeps } from './task-deps.ts'
import { viewWithKey } from './task-key.ts'

/** Asks the channel that has the task. @throws relay errors, without the upstream's message */
export async function forwardTask(
  route: TaskForwardRoute,
  platform: TaskPlatform,
  request: TaskRequest,
  own: OwnTasks,
  { http, index, log, secrets, store }: TaskDeps,
): Promise<unknown> {
  const task = await route.task(request, own)
  const channel = index().find(task.channel_id)
  if (channel === undefined) throw taskRefusal('channel_not_found', 400)
  const view = viewWithKey(channel, await store.keyHashOf(task.id), secrets)
  try {
    const { status, body } = await http.json(route.send(task, view), {
      ...channel.httpOptions,
      firstByteTimeoutMs: route.timeoutMs,
      idleTimeoutMs: route.timeoutMs,
    })
    if (status >= 200 && status < 300) return redactValue(body, withoutHookSecrets(platform))
    log.warn({ status, channelId: channel.id }, 'a task could not be asked for at its upstream')
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
  }
  throw relayErrors.unreadable()
}
