// What stays in the other gateway's database: nothing is lost without being named.
import type { TableImport } from '../contract/imports.ts'
import type { ImportReport } from './import-report.ts'
import type { OldDatabase } from './old-database.ts'

/** Tables with something that people will miss, and that nothing here can take over. */
const missed: ReadonlyMap<string, string> = new Map([
  ['top_ups', 'orders'],
  ['midjourneys', 'drawings'],
  ['tasks', 'tasks'],
  ['two_fas', 'second factors'],
  ['passkey_credentials', 'passkeys'],
  ['user_subscriptions', 'subscriptions'],
  ['user_oauth_bindings', 'identities at sign-in providers of its own'],
])

/** Tables that are read, and those whose rows only repeat what stands in others or say how far that gateway is. */
const done: ReadonlySet<string> = new Set([
  'users',
  'tokens',
  'channels',
  'options',
  'logs',
  'abilities',
  'setups',
  'two_fa_backup_codes',
])

/** Names what has rows and was not read.
 *  @param imports read tables of their own */
export async function noteRest(
  old: OldDatabase,
  imports: readonly Pick<TableImport, 'id'>[],
  report: ImportReport,
): Promise<void> {
  const read = new Set([...done, ...imports.map(({ id }) => id)])
  const others: string[] = []
  for (const table of [...old.tables.keys()].sort()) {
    if (read.has(table) || table.startsWith('sqlite_') || !(await hasRows(old, table))) continue
    const name = missed.get(table)
    if (name === undefined) others.push(table)
    else report.note(`${name}: they stay in the old database`)
  }
  if (others.length > 0)
    report.note(`other tables with rows: they stay in the old database (${others.join(', ')})`)
}

/** True also if that cannot be told, because the first column has no order. */
async function hasRows(old: OldDatabase, table: string): Promise<boolean> {
  const columns = old.tables.get(table) ?? new Set()
  const column = columns.has('id') ? 'id' : ([...columns][0] ?? '')
  try {
    return (await old.slice(table, { column, last: undefined, most: 1 })).length > 0
  } catch {
    return true
  }
}
