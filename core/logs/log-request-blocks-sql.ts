// Where in the log the rows of a request are. Its id begins with its time, so rows of nearby requests are near each other: of each block of rows it is
// kept between which ids of requests they are, and a request is looked for in the few blocks that may have it. An index would be an entry of forty
// characters more for each call, a third of what its row costs SQLite.
import type { DatabaseService, TransactionStatements } from '../contract/services.ts'
import { manyRowsFrom } from '../data/named-values.ts'
import { lockProgress, readProgress } from './log-quarters-sql.ts'

/** Ids of rows that are looked through together. */
const BLOCK = 8_192
/** Ids of rows that are read at once. */
const READ_AT_ONCE = 6 * BLOCK
/** Of a work that is one slice. */
const ALONE = { first: 1, least: 1, most: 1 }

interface Block {
  block: number
  first_request: string
  last_request: string
}

/** Of rows that are summed: below those none is on its way any more. */
export async function blockNewRequests(
  database: DatabaseService,
  signal?: AbortSignal,
): Promise<void> {
  const slices = database.slices(ALONE)
  while (!signal?.aborted) {
    const { last_id: end, requests_to: last, cut_count } = await readProgress(database)
    const [next] = await database.select<{ id: number | null }>(
      'SELECT MIN(id) AS id FROM logs WHERE id > :last AND id <= :end',
      { last, end },
    )
    if (typeof next?.id !== 'number') return
    const to = Math.min(end, next.id + READ_AT_ONCE - 1)
    const blocks = await readBlocks(database, { last: next.id - 1, to })
    await slices.take((statements) => write(statements, blocks, { last, to, cut_count }))
  }
}

/** Each by itself: PostgreSQL would sort the rows to group them. */
async function readBlocks(
  database: DatabaseService,
  { last, to }: { last: number; to: number },
): Promise<Block[]> {
  const request = database.dialect === 'postgres' ? 'request_id COLLATE "C"' : 'request_id'
  const blocks: Block[] = []
  for (let block = last + 1 - ((last + 1) % BLOCK); block <= to; block += BLOCK) {
    const [found] = await database.select<{ first_request: string | null; last_request: string }>(
      `SELECT MIN(${request}) AS first_request, MAX(${request}) AS last_request
       FROM logs WHERE id > :last AND id <= :to AND request_id <> ''`,
      { last: Math.max(last, block - 1), to: Math.min(to, block + BLOCK - 1) },
    )
    const { first_request = null, last_request = '' } = found ?? {}
    if (first_request !== null) blocks.push({ block, first_request, last_request })
  }
  return blocks
}

async function write(
  statements: TransactionStatements,
  blocks: readonly Block[],
  { last, to, cut_count }: { last: number; to: number; cut_count: number },
): Promise<void> {
  const now = await lockProgress(statements)
  // Another has read them, or what was read is gone.
  if (now.requests_to !== last || now.cut_count !== cut_count) return
  await statements.run('UPDATE log_progress SET requests_to = :to WHERE id = 1', { to })
  const columns = { block: 'bigint', first_request: 'text', last_request: 'text' } as const
  const { from, values } = manyRowsFrom(statements.dialect, 'part', columns, blocks)
  const known = 'log_request_blocks'
  await statements.run(
    `INSERT INTO ${known} (block, first_request, last_request)
     SELECT block, first_request, last_request FROM ${from} WHERE TRUE
     ON CONFLICT (block) DO UPDATE SET
       first_request = CASE WHEN excluded.first_request < ${known}.first_request THEN excluded.first_request ELSE ${known}.first_request END,
       last_request = CASE WHEN excluded.last_request > ${known}.last_request THEN excluded.last_request ELSE ${known}.last_request END`,
    values,
  )
}

/** The ids of its rows, mostly one. Rows that are in no block yet are looked through, too. */
export async function rowsOfRequest(
  database: DatabaseService,
  requestId: string,
): Promise<number[]> {
  const { requests_to: known } = await readProgress(database)
  const blocks = await database.select<{ block: number }>(
    `SELECT block FROM log_request_blocks WHERE first_request <= :requestId AND last_request >= :requestId ORDER BY block`,
    { requestId },
  )
  const ids: number[] = []
  for (const { block } of blocks) {
    const inBlock = { first: block, last: Math.min(known, block + BLOCK - 1) }
    ids.push(...(await rowsBetween(database, requestId, inBlock)))
  }
  ids.push(...(await rowsBetween(database, requestId, { first: known + 1 })))
  return ids
}

async function rowsBetween(
  database: DatabaseService,
  requestId: string,
  { first, last }: { first: number; last?: number },
): Promise<number[]> {
  const behind = last === undefined ? '' : 'AND id <= :last'
  const rows = await database.select<{ id: number }>(
    `SELECT id FROM logs WHERE id >= :first ${behind} AND request_id = :requestId`,
    { requestId, first, last },
  )
  return rows.map(({ id }) => id)
}

/** Before the oldest row there is nothing to be found. */
export async function dropRequestBlocks(database: DatabaseService, firstId: number): Promise<void> {
  await database.run(`DELETE FROM log_request_blocks WHERE block + ${BLOCK} <= :firstId`, {
    firstId,
  })
}
