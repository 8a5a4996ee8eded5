// The task object: as the proxy reports it, and as clients read it.
import {
  isObject,
  textIn,
  UpstreamError,
  type JsonObject,
  type OptionReader,
  type TaskRecord,
  type TaskReport,
} from '#core'
import { isOn } from './switches.ts'

/** @throws UpstreamError when the body is no list */
export function readTaskList(body: unknown): TaskReport[] {
  if (!Array.isArray(body))
    throw new UpstreamError(
      { status: 200, message: 'The proxy listed no tasks.', code: null, isKnownShape: true },
      'upstream',
    )
  return body.flatMap((item) => (isObject(item) ? (readTask(item) ?? []) : []))
}

/** Reads a task of the list, or the body of a callback; undefined if it names no task. */
export function readTask(item: JsonObject): TaskReport | undefined {
  const taskId = item['id']
  if (typeof taskId !== 'string' || taskId === '') return undefined
  const status = textIn(item['status'])
  const failReason = textIn(item['failReason'])
  return {
    taskId,
    state: stateOf(status, failReason),
    status,
    failReason,
    progress: textIn(item['progress']),
    submitMs: timeOf(item['submitTime']),
    startMs: timeOf(item['startTime']),
    finishMs: timeOf(item['finishTime']),
    data: item,
  }
}

/** A reason of failure before the end is the end. */
function stateOf(status: string | undefined, reason: string | undefined): TaskReport['state'] {
  if (status === 'SUCCESS') return 'succeeded'
  return status === 'FAILURE' || reason !== undefined ? 'failed' : 'open'
}

export function showTask(task: TaskRecord, options: OptionReader): JsonObject {
  const data = isObject(task.data) ? task.data : {}
  return {
    id: task.task_id,
    action: task.action,
    customId: data['customId'] ?? '',
    botType: data['botType'] ?? '',
    prompt: task.input,
    promptEn: data['promptEn'] ?? '',
    description: data['description'] ?? '',
    state: data['state'] ?? '',
    submitTime: task.submit_ms,
    startTime: task.start_ms,
    finishTime: task.finish_ms,
    imageUrl: shownImage(task, imageOf(task), options),
    status: task.status,
    progress: task.progress,
    failReason: task.fail_reason,
    buttons: data['buttons'] ?? [],
    maskBase64: data['maskBase64'] ?? '',
    properties: data['properties'] ?? {},
  }
}

/** Forwarded through this server where the admin wants that; the changing end keeps unfinished pictures out of caches. */
function shownImage(task: TaskRecord, url: string | undefined, options: OptionReader): string {
  if (url === undefined) return ''
  if (!isOn(options, 'MjForwardUrlEnabled')) return url
  const query = new URLSearchParams()
  if (task.file_key !== '') query.set('key', task.file_key)
  if (task.status !== 'SUCCESS') query.set('rand', String(process.hrtime.bigint()))
  const suffix = query.size === 0 ? '' : `?${query.toString()}`
  return `${options.get<string>('ServerAddress')}/mj/image/${encodeURIComponent(task.task_id)}${suffix}`
}

export function imageOf(task: TaskRecord): string | undefined {
  return isObject(task.data) ? textIn(task.data['imageUrl']) : undefined
}

function timeOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}
