// `tollgate import SOURCE`: fills a new gateway with the accounts, tokens, channels, options, codes and log of another one.
import { parseArgs } from 'node:util'
import { importDatabase } from '../import/import-database.ts'
import { type OldDatabase, openOldDatabase } from '../import/old-database.ts'
import { defaults } from '../app/configuration.ts'
import { ledgerVerify } from './ledger-verify.ts'
import type { Print } from './print.ts'
import { withGateway } from './with-gateway.ts'

const USAGE = `Usage: tollgate import SOURCE [--logs SOURCE | --without-logs] [--trust COLUMN]…
SOURCE is a file of SQLite (one-api.db), postgres://…, mysql://… or user:password@tcp(host:port)/database.
--logs SOURCE: reads the log in this database, which the old gateway had as LOG_SQL_DSN.
--without-logs: leaves the rows of the log in the old database.
--trust COLUMN: this column of identities holds numbers of accounts, and never login names; identities that may be one are left out else.`

/** @returns the exit code: 0 if the ledger is in order afterwards
 *  @throws Error with a sentence for the operator */
export async function runImport(args: readonly string[], print: Print): Promise<number> {
  const read = readArguments(args)
  if (read === undefined) {
    print(USAGE)
    return 2
  }
  const { source, logSource, ...others } = read
  const old = await openOldDatabase(source)
  let log: OldDatabase | undefined
  try {
    if (logSource !== undefined) log = await openOldDatabase(logSource)
    const choices = { ...others, log: log ?? old }
    return await withGateway(async ({ services, host }) => {
      const { database, secrets, options, pricing } = services
      const { adapters, imports, notifiers } = host.current.contributions
      const report = await importDatabase(old, choices, {
        database,
        secrets,
        options,
        print,
        adapterOf: (type) => adapters.get(type),
        families: defaults.otherGateways,
        pricing,
        notifiers: new Set(notifiers.list().map(({ id }) => id)),
        imports: imports.list(),
        nowSeconds: Math.floor(Date.now() / 1000),
      })
      for (const line of report.lines()) print(line)
      return await ledgerVerify({ database, print })
    })
  } finally {
    await log?.close()
    await old.close()
  }
}

/** Undefined if they are wrong. */
function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        logs: { type: 'string' },
        'without-logs': { type: 'boolean', default: false },
        trust: { type: 'string', multiple: true, default: [] },
      },
    })
    const [source, ...more] = positionals
    if (source === undefined || more.length > 0) return undefined
    if (values.logs !== undefined && values['without-logs']) return undefined
    return {
      source,
      logSource: values.logs,
      hasLogs: !values['without-logs'],
      trusted: values.trust,
    }
  } catch {
    return undefined
  }
}
