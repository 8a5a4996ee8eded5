// Combines old ledger entries: those of calls, one per call, become one entry per user and token. Each slice is one
// transaction, so a balance is the sum of its entries at every moment (core/decisions/0029).
import type {
  DatabaseService,
  SliceLimits,
  TransactionStatements,
} from '../../contract/services.ts'

/** The number of entries in a slice. */
const AT_ONCE: SliceLimits = { first: 1_000, least: 200, most: 5_000 }

export interface FoldOptions {
  /** Only entries made before this time are combined, in Unix seconds. */
  before: number
  signal?: AbortSignal | undefined
  atOnce?: SliceLimits
}

/** Combines the entries of calls that are older than `before`. Entries of other kinds than `consume` stay, because
 *  their names must never be entered twice.
 *  @returns how many were combined */
export async function foldEntries(
  database: DatabaseService,
  { before, signal, atOnce = AT_ONCE }: FoldOptions,
): Promise<number> {
  const slices = database.slices(atOnce)
  let folded = 0
  let after = 0
  while (!signal?.aborted) {
    const slice = await nextSlice(database, { after, before, limit: slices.rows })
    if (slice === undefined) break
    const values = { after, to: slice.to, before }
    folded += await slices.take((statements) => foldSlice(database.dialect, values, statements))
    after = slice.to
  }
  return folded
}

/** The next slice, or undefined at the end. Entries are read in order of their time, which may deviate after a clock
 *  was set; a slice that contains young entries is taken for the end. */
async function nextSlice(
  database: DatabaseService,
  { after, before, limit }: { after: number; before: number; limit: number },
): Promise<{ to: number } | undefined> {
  const [slice] = await database.select<{ to: number | null; oldest: number | null }>(
    `SELECT MAX(id) AS "to", MIN(created_at) AS oldest FROM (
      SELECT id, created_at FROM ledger_entries WHERE id > :after AND kind = 'consume' ORDER BY id LIMIT :limit
    ) AS slice`,
    { after, limit },
  )
  if (!slice || slice.to === null || slice.oldest === null || slice.oldest >= before)
    return undefined
  return { to: slice.to }
}

const condition = `id > :after AND id <= :to AND kind = 'consume' AND created_at < :before`

/** The balance of a combined entry is the one after the newest entry in it. */
const carryForward = (folded: string) =>
  `INSERT INTO ledger_entries (user_id, token_id, kind, ref, amount, balance, created_at)
  SELECT sums.user_id, sums.token_id, 'carried', CAST(sums.user_id AS TEXT) || ':' || CAST(sums.token_id AS TEXT), sums.amount, newest.balance, sums.created_at
  FROM (
    SELECT user_id, token_id, CAST(SUM(amount) AS BIGINT) AS amount, MAX(id) AS newest_id, MAX(created_at) AS created_at
    FROM ${folded} GROUP BY user_id, token_id
  ) AS sums JOIN ${folded} AS newest ON newest.id = sums.newest_id
  ORDER BY sums.user_id, sums.token_id
  ON CONFLICT (kind, ref) WHERE kind <> 'consume' DO UPDATE SET
    amount = ledger_entries.amount + excluded.amount, balance = excluded.balance, created_at = excluded.created_at`

async function foldSlice(
  dialect: DatabaseService['dialect'],
  values: { after: number; to: number; before: number },
  { select, run }: TransactionStatements,
): Promise<number> {
  if (dialect === 'postgres') {
    // One statement, so that exactly the deleted entries are summed, whatever other transactions commit or combine
    // meanwhile.
    const [row] = await select<{ count: number }>(
      `WITH folded AS (
        DELETE FROM ledger_entries WHERE ${condition} RETURNING id, user_id, token_id, amount, balance, created_at
      ), carried AS (${carryForward('folded')})
      SELECT CAST(COUNT(*) AS BIGINT) AS count FROM folded`,
      values,
    )
    return row?.count ?? 0
  }
  // On SQLite nobody else writes between the two statements.
  await run(carryForward(`(SELECT * FROM ledger_entries WHERE ${condition})`), values)
  return run(`DELETE FROM ledger_entries WHERE ${condition}`, values)
}
