// An import from end to end: options first, which may be set again, then everything else in one transaction.
import type { Transaction } from 'sequelize'
import type { TableImport } from '../contract/imports.ts'
import type { Adapter } from '../contract/adapter.ts'
import type { OptionService } from '../contract/options.ts'
import type { PricingService, SecretService } from '../contract/services.ts'
import { enterImportedBalances } from '../billing/ledger/imported-balances-sql.ts'
import { continueIds } from '../data/continue-ids-sql.ts'
import type { Database } from '../data/database.ts'
import { users } from '../data/models/user.ts'
import { type Family, familyOf } from './family.ts'
import { importAccounts } from './import-accounts.ts'
import { importChannels } from './import-channels.ts'
import { importLogs } from './import-logs.ts'
import { importOptions } from './import-options.ts'
import { ImportReport } from './import-report.ts'
import { importTokens } from './import-tokens.ts'
import { notePrices } from './note-prices.ts'
import { noteRest } from './note-rest.ts'
import { type OldDatabase, rowsOf } from './old-database.ts'
import { errorText } from '../kernel/error-text.ts'

export interface ImportDeps {
  database: Database
  secrets: SecretService
  options: OptionService
  adapterOf: (type: number) => Adapter | undefined
  families: readonly Family[]
  pricing: PricingService
  /** Ways in which users can be told of something. */
  notifiers: ReadonlySet<string>
  /** Of plugins that are on. */
  imports: readonly TableImport[]
  print: (line: string) => void
  nowSeconds: number
}

export interface ImportChoices {
  hasLogs: boolean
  /** Where the log is: the source itself, or a database of its own. */
  log: OldDatabase
  /** Columns of identities that hold numbers of accounts, and never login names. */
  trusted: readonly string[]
}

/** Reading the source takes its time between two statements. */
const LONGEST_PAUSE_MS = 600_000

/** Fills a database without accounts.
 *  @throws Error for the operator; accounts, tokens, channels, codes and logs are then as before */
export async function importDatabase(
  old: OldDatabase,
  choices: ImportChoices,
  deps: ImportDeps,
): Promise<ImportReport> {
  const { database, options, imports, print } = deps
  const family = familyOf(old, deps.families)
  checkTrusted(choices.trusted, family)
  if (choices.log !== old && !choices.log.tables.has('logs'))
    throw new Error('--logs: there is no table logs; nothing was imported')
  await requireEmpty(database)
  print(`The source is a database of ${family.name}.`)
  const report = new ImportReport()
  const given = await importOptions({ options, report, family }, rowsOf(old, 'options', 'key'))
  const lists = await database
    .transaction(
      (transaction) => importTables(old, choices, { ...deps, family, report }, transaction),
      LONGEST_PAUSE_MS,
    )
    .catch((cause: unknown) => {
      throw new Error(`${reasonOf(cause)}; but for options, nothing was imported`, { cause })
    })
  notePrices({ ...deps, report }, lists, given)
  await noteRest(old, imports, report)
  return report
}

/** @throws Error naming the columns that there are */
function checkTrusted(trusted: readonly string[], { loginNames }: Family): void {
  const unknown = trusted.find((column) => !loginNames.includes(column))
  if (unknown !== undefined)
    throw new Error(
      `--trust ${unknown}: no such column, only ${loginNames.join(', ')}; nothing was imported`,
    )
}

/** @returns the lists of models of channels that are enabled */
async function importTables(
  old: OldDatabase,
  choices: ImportChoices,
  deps: ImportDeps & { family: Family; report: ImportReport },
  transaction: Transaction,
): Promise<string[]> {
  const { database, report } = deps
  const shared = { ...deps, ...choices }
  const owners = await importAccounts(shared, () => rowsOf(old, 'users'), transaction)
  await enterImportedBalances(database, deps.nowSeconds, transaction)
  await importTokens({ ...shared, owners }, rowsOf(old, 'tokens'), transaction)
  const lists = await importChannels(shared, rowsOf(old, 'channels'), transaction)
  for (const table of ['users', 'tokens', 'channels'] as const)
    await continueIds(database, table, transaction)
  await importForPlugins(old, deps.imports, report, transaction)
  if (choices.hasLogs) await importLogs(shared, rowsOf(choices.log, 'logs'), transaction)
  return lists
}

/** Sequelize says of a row that the database refuses only that it is not valid. */
function reasonOf(cause: unknown): string {
  const { parent = cause } = cause as { parent?: unknown }
  return errorText(parent)
}

/** Ids are kept, so nothing may have one yet. */
async function requireEmpty(database: Database): Promise<void> {
  if ((await users(database).findOne({ attributes: ['id'] })) === null) return
  throw new Error(
    'there are accounts here already: an import needs an empty database, in another DATA_DIR or DATABASE_URL; nothing was imported',
  )
}

async function importForPlugins(
  old: OldDatabase,
  imports: readonly TableImport[],
  report: ImportReport,
  transaction: Transaction,
): Promise<void> {
  for (const { id: table, take } of imports) {
    if (!old.tables.has(table)) continue
    const leaveOut = (reason: string) => report.leaveOut(table, reason)
    report.take(table, await take(rowsOf(old, table), { transaction, leaveOut }))
  }
}
