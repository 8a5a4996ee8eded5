import type { OwnTasks, TaskPlatform } from '../contract/task.ts'
import type { TaskStore } from './task-store.ts'

/** More ids than any client asks for at once. */
const mostIds = 500

/** A platform's tasks as one caller sees them. */
export function ownTasks(platform: TaskPlatform, userId: number, store: TaskStore): OwnTasks {
  return {
    find: (taskId) => store.find(platform.id, taskId, userId),
    list: async (taskIds) => {
      const wanted = [...new Set(taskIds)].slice(0, mostIds)
      const rows = await store.listOwn(platform.id, userId, wanted)
      // If several rows have the same id, the newest one counts.
      const byId = new Map(rows.map((row) => [row.task_id, row]))
      return wanted.flatMap((id) => byId.get(id) ?? [])
    },
  }
}
