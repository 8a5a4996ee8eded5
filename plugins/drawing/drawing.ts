import { asText, isObject, type OptionReader, type TaskRecord } from '#core'
import type { Drawing } from './schema.ts'

/** A task row as the drawing log shows it. */
export function drawingOf(task: TaskRecord, options: OptionReader): Drawing {
  const data = isObject(task.data) ? task.data : {}
  return {
    id: task.id,
    code: shownCode(task),
    user_id: task.user_id,
    action: task.action,
    mj_id: task.task_id,
    prompt: task.input,
    prompt_en: asText(data['promptEn']),
    description: asText(data['description']),
    state: asText(data['state']),
    submit_time: task.submit_ms,
    start_time: task.start_ms,
    finish_time: task.finish_ms,
    created_at: Math.floor(task.submit_ms / 1000),
    image_url: shownImage(task, asText(data['imageUrl']), options),
    status: task.status,
    progress: task.progress,
    fail_reason: task.fail_reason,
    channel_id: task.channel_id,
    quota: task.quota,
    buttons: JSON.stringify(data['buttons'] ?? []),
    properties: JSON.stringify(data['properties'] ?? {}),
  }
}

/** The codes for waiting (21) and queued (22) are outdated once the task runs. */
function shownCode({ code, start_ms: startMs, is_open: isOpen }: TaskRecord): number {
  return (code === 21 || code === 22) && (startMs > 0 || !isOpen) ? 1 : code
}

function shownImage(
  { task_id: id, file_key: key }: TaskRecord,
  url: string,
  options: OptionReader,
): string {
  if (url === '' || !options.get<boolean>('MjForwardUrlEnabled')) return url
  return `${options.get<string>('ServerAddress')}/mj/image/${encodeURIComponent(id)}${key === '' ? '' : `?key=${key}`}`
}
