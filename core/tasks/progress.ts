// Writes down what a poll or callback reports about a task. A failure returns the charge exactly once.
import { logType } from '../contract/constants.ts'
import { quotaText } from '../billing/quota-text.ts'
import { isObject } from '../contract/json.ts'
import type { LogRow } from '../contract/services.ts'
import type { TaskPlatform, TaskReport } from '../contract/task.ts'
import { redactorOf, redactValue } from '../secrets/redact.ts'
import { withoutHookSecrets } from './hook-address.ts'
import { withSoundTimes } from './sound-times.ts'
import type { TaskDeps } from './task-deps.ts'
import type { TaskOwner } from './task-store.ts'
import type { TaskRow } from '../data/models/task.ts'

/** Ends the transaction of a refund if its task had already ended. */
class EndedBefore extends Error {}

/** Stores what is new in a report, and tells the client's hook. */
export async function applyReport(
  task: TaskRow,
  received: TaskReport,
  platform: TaskPlatform,
  deps: TaskDeps,
): Promise<void> {
  const secrets = deps.index().find(task.channel_id)?.secrets ?? []
  // Only the channel's own secrets are removed, because addresses of results may contain signatures that look like keys.
  const said = redactValue(withSoundTimes(received), redactorOf(secrets).known)
  const clean = redactValue(said, withoutHookSecrets(platform))
  const report = { ...clean, data: mergedData(task.data, clean.data) }
  if (report.state === 'failed') {
    await failTask(
      task,
      redactorOf(secrets).text(report.failReason || 'The upstream gave no reason.'),
      platform,
      deps,
      report,
    )
    return
  }
  if (!isNews(task, report)) return
  if (await deps.store.report(task.id, report)) callHook(task, report, platform, deps)
}

/** Fails a task and returns its charge exactly once, whoever finds out first and however often. The refund is a ledger
 *  entry with a unique reference, in one transaction with the conditional change of the row, so either both happen or
 *  neither. The amount is the one in the row, which was written in one transaction with the charge (submit-task.ts).
 *  @returns false if the task had already ended */
export async function failTask(
  task: TaskRow,
  reason: string,
  platform: TaskPlatform,
  deps: TaskDeps,
  report: Partial<TaskReport> = {},
): Promise<boolean> {
  const failed = { ...report, failReason: reason, status: 'FAILURE', progress: '100%' }
  const owner = task.quota > 0 ? await deps.store.ownerOf(task) : undefined
  try {
    await deps.database.transaction(async (transaction) => {
      // The ledger comes first: everywhere its locks (users, tokens, channels) are taken before those of tasks.
      if (owner)
        await deps.ledger.refund({
          userId: task.user_id,
          tokenId: task.token_id,
          channelId: task.channel_id,
          units: task.quota,
          ref: `task:${task.id}`,
          log: refundRow(task, owner, deps),
          transaction,
        })
      if (!(await deps.store.endCharged(task, failed, transaction))) throw new EndedBefore()
    })
  } catch (error) {
    if (error instanceof EndedBefore || isRepeated(error)) return false
    throw error
  }
  if (owner) deps.events.emit('token.changed', { tokenId: task.token_id, userId: task.user_id })
  callHook(task, failed, platform, deps)
  return true
}

/** Another node was faster and has written the entry. */
function isRepeated(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ledger.entry_repeated'
}

function refundRow(
  task: TaskRow,
  owner: TaskOwner,
  { options }: TaskDeps,
): (Partial<LogRow> & { user_id: number }) | undefined {
  // Beside no charge it would stand for money that came from nowhere.
  if (!options.get<boolean>('LogConsumeEnabled')) return undefined
  return {
    user_id: task.user_id,
    ...owner,
    type: logType.system,
    content: `task ${task.task_id} failed, ${quotaText(task.quota, options)} given back`,
    token_id: task.token_id,
    model_name: task.model_name,
    channel_id: task.channel_id,
    other: JSON.stringify({ op: 'task_refund', task_id: task.task_id, amount: task.quota }),
  }
}

function callHook(
  task: TaskRow,
  report: Partial<TaskReport>,
  platform: TaskPlatform,
  { hooks, options }: TaskDeps,
): void {
  if (task.hook_url !== '') hooks.post(task.hook_url, platform.show(merged(task, report), options))
}

/** Upstreams leave out fields that have not changed, so an empty field overwrites nothing. Lists are replaced. */
function mergedData(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after ?? before
  const filled = Object.entries(after).filter(([, value]) => value !== null && value !== '')
  return { ...before, ...Object.fromEntries(filled) }
}

/** The row after the report. */
function merged(task: TaskRow, report: Partial<TaskReport>): TaskRow {
  return {
    ...task,
    status: report.status || task.status,
    progress: report.state === 'succeeded' ? '100%' : report.progress || task.progress,
    fail_reason: report.failReason || task.fail_reason,
    input: report.input || task.input,
    submit_ms: report.submitMs || task.submit_ms,
    start_ms: report.startMs || task.start_ms,
    finish_ms: report.finishMs || task.finish_ms,
    data: report.data ?? task.data,
    is_open: report.state === 'open',
  }
}

/** Most polls find nothing new, and then write nothing. */
function isNews(task: TaskRow, report: TaskReport): boolean {
  const after = merged(task, report)
  const isSame = JSON.stringify({ ...after, is_open: true }) === JSON.stringify(task)
  return !isSame || report.state !== 'open'
}
