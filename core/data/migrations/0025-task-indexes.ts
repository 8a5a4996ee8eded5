import type { IndexChange } from '../late-indexes.ts'

/** All is said by the indexes. */
export function up(): Promise<void> {
  return Promise.resolve()
}

/** What the screens of tasks, drawings and orders filter by. */
export const indexes: readonly IndexChange[] = [
  { name: 'tasks_channel', table: 'tasks', on: '(screen, channel_id, id)' },
  { name: 'tasks_action', table: 'tasks', on: '(screen, action, id)' },
  { name: 'tasks_status', table: 'tasks', on: '(screen, status, id)' },
  { name: 'top_ups_status', table: 'top_ups', on: '(status, id)' },
]
