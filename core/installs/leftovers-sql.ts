// What a plugin leaves in the database: tables, the record of its migrations, and values of options.
import type { DatabaseService, Transaction } from '../contract/services.ts'
import { tablePrefixOf } from '../kernel/manifest/asks.ts'
import { quotedName } from '../data/quoted-name.ts'

interface Left {
  name: string
  kind: 'table' | 'view'
}

/** The tables and views whose names begin with the plugin's prefix. */
export async function tablesOf(
  database: Pick<DatabaseService, 'select' | 'dialect'>,
  id: string,
): Promise<Left[]> {
  const sql =
    database.dialect === 'sqlite'
      ? `SELECT name, type AS kind FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name`
      : `SELECT table_name AS name, CASE table_type WHEN 'VIEW' THEN 'view' ELSE 'table' END AS kind
         FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY table_name`
  const prefix = tablePrefixOf(id)
  const rows = await database.select<Left>(sql)
  return rows
    .map(({ name, kind }) => ({ name, kind }))
    .filter(({ name }) => name.startsWith(prefix))
}

/** Drops the tables and the record of the migrations, so that a later installation creates them again.
 *  @returns their names */
export async function dropTables(database: DatabaseService, id: string): Promise<string[]> {
  const left = await tablesOf(database, id)
  await database.transaction(async (transaction) => {
    // Tables may reference each other.
    if (database.dialect === 'sqlite')
      await database.run('PRAGMA defer_foreign_keys = ON', undefined, transaction)
    const cascade = database.dialect === 'sqlite' ? '' : ' CASCADE'
    for (const { name, kind } of left.toSorted((a, b) => (a.kind < b.kind ? 1 : -1))) {
      const sql = `DROP ${kind} IF EXISTS ${quotedName(name)}${cascade}`
      await database.run(sql, undefined, transaction)
    }
    await forgetSteps(database, id, transaction)
  })
  return left.map(({ name }) => name)
}

async function forgetSteps(
  database: DatabaseService,
  id: string,
  transaction: Transaction,
): Promise<void> {
  const sql = 'SELECT name FROM schema_steps'
  const rows = await database.select<{ name: string }>(sql, undefined, transaction)
  // `acme-pay-0001-start` does not belong to `acme`.
  const isOwn = (name: string) =>
    name.startsWith(`${id}-`) && /^\d{4}-/.test(name.slice(id.length + 1))
  for (const { name } of rows.filter((row) => isOwn(row.name)))
    await database.run('DELETE FROM schema_steps WHERE name = :name', { name }, transaction)
}

/** Deletes the values of options and their history. */
export async function dropOptions(
  database: DatabaseService,
  keys: readonly string[],
): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const key of keys) {
      await database.run('DELETE FROM options WHERE key = :key', { key }, transaction)
      await database.run('DELETE FROM option_changes WHERE key = :key', { key }, transaction)
    }
  })
}
