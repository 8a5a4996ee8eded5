// `tollgate options history KEY`: shows who changed an option, for when the console cannot be reached. It may run
// beside a gateway.
import { optionTable } from '../app/option-table.ts'
import type { StoredChange } from '../kernel/options/option-changes.ts'
import { MAX_KEPT_CHANGES } from '../kernel/options/option-changes.ts'
import { openCurrent, whileOpen } from './open-database.ts'
import type { Print } from './print.ts'

const MAX_PRINTED = 200

/** @returns the exit code */
export async function printOptionHistory(args: readonly string[], print: Print): Promise<number> {
  const [key] = args
  if (key === undefined || args.length > 1) {
    print('Usage: tollgate options history KEY')
    return 2
  }
  const page = { offset: 0, limit: MAX_KEPT_CHANGES }
  const { changes } = await whileOpen(await openCurrent(), (database) =>
    optionTable(database).changes([key], page),
  )
  if (changes.length === 0) print(`No change of ${key} is recorded.`)
  for (const change of changes) print(lineOf(change))
  return 0
}

function lineOf(change: StoredChange): string {
  const { changed_at, username, user_id, origin } = change
  const time = new Date(changed_at * 1000).toISOString().replace('.000Z', 'Z')
  const who = user_id > 0 ? `${username} (#${user_id}, ${origin})` : origin
  return `${time}  ${who}  ${whatOf(change)}`
}

function whatOf(change: StoredChange): string {
  if (change.is_secret) return 'a secret was changed'
  const { old_value, old_size, new_value, new_size } = change
  return `${shown(old_value, old_size)} -> ${shown(new_value, new_size)}`
}

/** A value on one line, without control characters for the terminal. */
function shown(value: string | null, size: number): string {
  if (value === null) return `(${size} characters)`
  const text = JSON.stringify(value)
  return text.length > MAX_PRINTED ? `${text.slice(0, MAX_PRINTED)}… (${size} characters)` : text
}
