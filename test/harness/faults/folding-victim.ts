// Carries ledger entries forward until it is killed: `node folding-victim.ts SETTINGS_JSON BEFORE_SECONDS`.
import { writeSync } from 'node:fs'
import { foldEntries } from '../../../core/billing/ledger/fold-entries-sql.ts'
import { openDatabase } from '../../../core/data/database.ts'
import { quietLog } from '../quiet-log.ts'

const [settings = '{}', before = '0'] = process.argv.slice(2)
const database = await openDatabase({ ...JSON.parse(settings), log: quietLog })
writeSync(1, 'ready\n')
await foldEntries(database, { before: Number(before), atOnce: { first: 50, least: 50, most: 50 } })
await database.close()
