import type { Transaction } from 'sequelize'
import { tokenStatus } from '../contract/constants.ts'
import { splitList } from '../contract/comma-list.ts'
import type { DatabaseService, SecretService } from '../contract/services.ts'
import { tokens, type TokenRow } from '../data/models/token.ts'
import { isTokenKey } from '../tokens/token-key.ts'
import type { ImportReport } from './import-report.ts'
import { inGroups } from './in-groups.ts'
import type { OldRow } from './old-row.ts'

interface TokenDeps {
  database: DatabaseService
  secrets: SecretService
  report: ImportReport
  /** The accounts that may have tokens. */
  owners: ReadonlySet<number>
}

const known: ReadonlySet<number> = new Set(Object.values(tokenStatus))
const longestName = 1_000

/** Takes tokens over with their ids and keys, so that programs go on as they are. */
export async function importTokens(
  deps: TokenDeps,
  rows: AsyncIterable<OldRow>,
  transaction: Transaction,
): Promise<void> {
  const hashes = new Set<string>()
  for await (const group of inGroups(rows)) {
    const read = group.flatMap((row) => tokenOf(row, deps, hashes))
    await tokens(deps.database).bulkCreate(read, { transaction })
    deps.report.take('tokens', read.length)
  }
}

type Token = Omit<TokenRow, 'leased'>

function tokenOf(row: OldRow, deps: TokenDeps, hashes: Set<string>): Token[] {
  const { owners, report, secrets } = deps
  const name = row.text('name')
  if (row.text('deleted_at') !== '') return left(report, 'they were deleted')
  if (!owners.has(row.whole('user_id'))) return left(report, 'their account was deleted')
  const key = row.text('key').trim().replace(/^sk-/, '')
  if (!isTokenKey(key)) return left(report, 'their keys have another form', name)
  const hash = secrets.lookup('token', key)
  if (hashes.has(hash)) return left(report, 'another token has the same key', name)
  hashes.add(hash)
  if (row.isTrue('cross_group_retry'))
    report.leaveOut('retries of tokens in other groups', 'a token has none here', name)
  return [
    {
      ...columnsOf(row),
      name: name.slice(0, longestName),
      key: secrets.encrypt(key),
      key_hash: hash,
    },
  ]
}

function columnsOf(row: OldRow): Omit<Token, 'name' | 'key' | 'key_hash'> {
  const status = row.whole('status')
  // One-api has a list of models without a switch, and one of addresses under another name.
  const models = splitList(row.text('model_limits') || row.text('models'))
  const isLimited = row.isTrue('model_limits_enabled') || row.text('models') !== ''
  return {
    id: row.whole('id'),
    user_id: row.whole('user_id'),
    status: known.has(status) ? status : tokenStatus.disabled,
    created_time: row.whole('created_time'),
    accessed_time: row.whole('accessed_time'),
    // Without the column none expires; 0 is a time that is over.
    expired_time: row.text('expired_time') === '' ? -1 : row.whole('expired_time'),
    remain_quota: row.whole('remain_quota'),
    unlimited_quota: row.isTrue('unlimited_quota'),
    model_limits_enabled: isLimited,
    model_limits: models.join(','),
    allow_ips: splitList((row.text('allow_ips') || row.text('subnet')).replaceAll('\n', ',')).join(
      '\n',
    ),
    used_quota: row.whole('used_quota'),
    group: row.text('group').slice(0, 64),
    deleted_at: null,
  }
}

function left(report: ImportReport, reason: string, name?: string): [] {
  report.leaveOut('tokens', reason, name)
  return []
}
