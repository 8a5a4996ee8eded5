import type { TaskReport, TaskSubmit } from '../contract/task.ts'
import type { StoredTask } from '../data/models/task.ts'
import type { Statement } from '../data/named-values.ts'

/** What is written to a row when its submit is accepted. */
export interface AcceptedTask {
  id: number
  requestId: string
  submit: TaskSubmit
  channelId: number
  /** The token that pays. */
  tokenId: number
  /** The hash of the key that was used. */
  keyHash: string
  taskId: string
  units: number
  code: number
  report: Omit<TaskReport, 'taskId'>
}

/** The statements for an accepted submit, for the ledger's batch. If the upstream treats the submit as the next step of
 *  a waiting task (same id), it is merged into that task's row; if that task has ended meanwhile, it gets a row of its
 *  own. So it does if another token or channel has paid for that task: a failure gives a row's charge back to one of
 *  each. */
export function acceptedStatements(task: AcceptedTask): Statement[] {
  const { submit, report } = task
  const set: Partial<StoredTask> = {
    task_id: task.taskId,
    channel_id: task.channelId,
    key_hash: task.keyHash,
    model_name: submit.model,
    action: submit.action,
    code: task.code,
    fail_reason: '',
    status: report.status ?? 'SUBMITTED',
    progress: report.state === 'succeeded' ? '100%' : (report.progress ?? '0%'),
    data: JSON.stringify(report.data ?? null),
    finish_ms: report.state === 'succeeded' ? (report.finishMs ?? Date.now()) : 0,
    updated_at: Math.floor(Date.now() / 1000),
    is_open: report.state !== 'succeeded',
  }
  const columns = Object.keys(set)
    .map((column) => `${column} = :${column}`)
    .join(', ')
  const { origin } = submit
  const values = { ...set, id: task.id, units: task.units, requestId: task.requestId }
  const own = { sql: `UPDATE tasks SET ${columns}, quota = :units WHERE id = :id`, values }
  if (origin?.task_id !== task.taskId) return [own]
  const withOrigin = { ...values, originId: origin.id, tokenId: task.tokenId }
  return [
    {
      sql: `UPDATE tasks SET ${columns}, quota = quota + :units, request_id = :requestId, token_id = :tokenId
        WHERE id = :originId AND is_open
          AND (quota = 0 OR (token_id = :tokenId AND channel_id = :channel_id))`,
      values: withOrigin,
    },
    {
      sql: `DELETE FROM tasks WHERE id = :id AND EXISTS
        (SELECT 1 FROM tasks WHERE id = :originId AND request_id = :requestId)`,
      values: withOrigin,
    },
    own,
  ]
}
