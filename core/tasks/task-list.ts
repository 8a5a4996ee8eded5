import type { DatabaseService } from '../contract/services.ts'
import type { TaskQuery, TaskRecord, TaskService } from '../contract/task.ts'
import { fromStored, taskColumns, type StoredTask } from './task-store.ts'

const conditions: Readonly<Record<keyof TaskQuery, string>> = {
  screen: 'screen = :screen',
  userId: 'user_id = :userId',
  channelId: 'channel_id = :channelId',
  platform: 'platform = :platform',
  taskId: 'task_id = :taskId',
  action: 'action = :action',
  status: 'status = :status',
  fromMs: 'submit_ms >= :fromMs',
  toMs: 'submit_ms <= :toMs',
}

/** Reads the task rows for the log screens of the console. */
export function createTaskList(database: DatabaseService): TaskService {
  return {
    list: async (query, { offset, limit }) => {
      const given = Object.entries(query).filter(([, value]) => value !== undefined)
      const where = given.map(([key]) => conditions[key as keyof TaskQuery]).join(' AND ')
      const filter = where === '' ? '' : `WHERE ${where}`
      const replacements = Object.fromEntries(given)
      const [counted] = await database.select<{ total: number }>(
        `SELECT COUNT(*) AS total FROM tasks ${filter}`,
        replacements,
      )
      const rows = await database.select<StoredTask>(
        `SELECT ${taskColumns} FROM tasks ${filter} ORDER BY id DESC LIMIT :limit OFFSET :offset`,
        { ...replacements, limit, offset },
      )
      return { items: rows.map((row) => fromStored<TaskRecord>(row)), total: counted?.total ?? 0 }
    },
  }
}
