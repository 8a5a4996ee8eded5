// The task object of the service: times in seconds, `data` a list of songs or the lyrics.
import { isObject, textIn, type JsonObject, type TaskRecord, type TaskReport } from '#core'
import { successOf } from './answers.ts'

/** @throws UpstreamError */
export function readTaskList(body: unknown): TaskReport[] {
  const { data } = successOf(body)
  return Array.isArray(data)
    ? data.flatMap((item) => (isObject(item) ? (readTask(item) ?? []) : []))
    : []
}

function readTask(item: JsonObject): TaskReport | undefined {
  const taskId = item['task_id']
  if (typeof taskId !== 'string' || taskId === '') return undefined
  const status = textIn(item['status'])
  const failReason = textIn(item['fail_reason'])
  return {
    taskId,
    state: stateOf(status, failReason),
    status,
    failReason,
    progress: textIn(item['progress']),
    submitMs: timeOf(item['submit_time']),
    startMs: timeOf(item['start_time']),
    finishMs: timeOf(item['finish_time']),
    data: item['data'] ?? undefined,
  }
}

/** The service is done with a task of status UNKNOWN: nothing will come of it. */
function stateOf(status: string | undefined, reason: string | undefined): TaskReport['state'] {
  if (reason !== undefined || status === 'FAILURE' || status === 'UNKNOWN') return 'failed'
  return status === 'SUCCESS' ? 'succeeded' : 'open'
}

export function showTask(task: TaskRecord): JsonObject {
  return {
    task_id: task.task_id,
    action: task.action,
    status: task.status,
    fail_reason: task.fail_reason,
    submit_time: seconds(task.submit_ms),
    start_time: seconds(task.start_ms),
    finish_time: seconds(task.finish_ms),
    progress: task.progress,
    data: task.data,
  }
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000)
}

/** Seconds of the service as milliseconds. */
function timeOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? Math.round(value * 1000) : undefined
}
