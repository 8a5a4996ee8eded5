import type { IndexChange } from '../late-indexes.ts'

/** All is said by the indexes. */
export function up(): Promise<void> {
  return Promise.resolve()
}

/** The one filter of the task log that had none: of a million tasks all were read to be counted. */
export const indexes: readonly IndexChange[] = [
  { name: 'tasks_platform', table: 'tasks', on: '(screen, platform, id)' },
]
