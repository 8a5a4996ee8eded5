import type { IndexChange } from '../late-indexes.ts'

/** All is said by the indexes. */
export function up(): Promise<void> {
  return Promise.resolve()
}

/** They take the place of two without the model: of a customer's million rows, those of another model are left out without looking at the row. */
export const indexes: readonly IndexChange[] = [
  { name: 'logs_user_model', table: 'logs', on: '(user_id, id, model_name)' },
  { name: 'logs_channel_model', table: 'logs', on: '(channel_id, id, model_name)' },
  { name: 'logs_user', table: 'logs' },
  { name: 'logs_channel', table: 'logs' },
]
