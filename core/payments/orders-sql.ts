import type { Transaction, WhereOptions } from 'sequelize'
import type { PageQuery } from '../contract/http.ts'
import type { DatabaseService } from '../contract/services.ts'
import { containing, foldedLike } from '../data/folded-like.ts'
import { rowLock } from '../data/row-lock-sql.ts'
import { plainRows } from '../data/models/define-model.ts'
import { totalOfLast } from '../data/page-of.ts'
import { orderStatus, type TopUpRow, topUps } from '../data/models/top-up.ts'
import type { TopUpReversalRow } from '../data/models/top-up-reversal.ts'

export interface OrderFilter {
  userId?: number
  /** Part of the order number, or a user's name. */
  keyword?: string
  status?: string | undefined
}

export type ShownOrder = TopUpRow & { username: string }

/** Newest first, with the names of their customers. */
export async function listOrders(
  database: DatabaseService,
  filter: OrderFilter,
  { page, pageSize }: PageQuery,
): Promise<{ items: ShownOrder[]; total: number }> {
  const { where, values } = await conditionOf(database, filter)
  const offset = (page - 1) * pageSize
  // Only ids are passed over up to the page, and names looked up for its rows.
  const items = await database.select<ShownOrder>(
    `SELECT orders.*, COALESCE(users.username, '') AS username
     FROM top_ups AS orders LEFT JOIN users ON users.id = orders.user_id
     WHERE orders.id IN (SELECT id FROM top_ups ${where} ORDER BY id DESC LIMIT :limit OFFSET :offset)
     ORDER BY orders.id DESC`,
    { ...values, limit: pageSize, offset },
  )
  const total = totalOfLast(items.length, { limit: pageSize, offset })
  if (total !== undefined) return { items, total }
  const [count] = await database.select<{ total: number }>(
    `SELECT COUNT(*) AS total FROM top_ups ${where}`,
    values,
  )
  return { items, total: count?.total ?? 0 }
}

async function conditionOf(
  database: DatabaseService,
  { userId, keyword = '', status }: OrderFilter,
): Promise<{ where: string; values: Record<string, unknown> }> {
  const word = keyword.trim()
  const [customer] =
    word === ''
      ? []
      : await database.select<{ id: number }>('SELECT id FROM users WHERE username = :word', {
          word,
        })
  const isNumber = foldedLike(database.dialect, 'trade_no', { name: ':pattern', word })
  const conditions = [
    ...(userId === undefined ? [] : ['user_id = :userId']),
    ...(status ? ['status = :status'] : []),
    ...(word === '' ? [] : [`(${isNumber}${customer ? ' OR user_id = :customer' : ''})`]),
  ]
  return {
    where: conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '',
    values: {
      userId,
      status,
      pattern: containing(word),
      customer: customer?.id,
    },
  }
}

export async function findOrder(
  database: DatabaseService,
  where: WhereOptions<TopUpRow>,
  transaction?: Transaction,
): Promise<TopUpRow | undefined> {
  const found = await topUps(database).findAll({
    where,
    limit: 1,
    ...(transaction ? { transaction, lock: transaction.LOCK.UPDATE } : {}),
  })
  return plainRows(found)[0]
}

export async function insertOrder(
  database: DatabaseService,
  order: Omit<
    TopUpRow,
    | 'id'
    | 'status'
    | 'reference'
    | 'refunded_quota'
    | 'taken_quota'
    | 'create_time'
    | 'complete_time'
  >,
): Promise<void> {
  await topUps(database).create({ ...order, create_time: Math.floor(Date.now() / 1000) })
}

/** The only step that leads to a credit: of any number of callers at once, one makes it. An expired order may still be paid. */
export async function markPaid(
  database: DatabaseService,
  {
    trade_no,
    reference,
    status,
  }: Pick<TopUpRow, 'trade_no'> & {
    /** Undefined leaves it unchanged. */
    reference: string | undefined
    status: 'success' | 'account_removed'
  },
  transaction: Transaction,
): Promise<boolean> {
  const [changed] = await topUps(database).update(
    {
      status,
      complete_time: Math.floor(Date.now() / 1000),
      ...(reference === undefined ? {} : { reference }),
    },
    {
      where: {
        trade_no,
        status: [orderStatus.pending, orderStatus.expired, orderStatus.failed],
      },
      transaction,
    },
  )
  return changed === 1
}

/** Only orders that are still pending are changed. */
export async function closeOrder(
  database: DatabaseService,
  trade_no: string,
  status: 'expired' | 'failed',
): Promise<void> {
  await topUps(database).update(
    { status: orderStatus[status] },
    { where: { trade_no, status: orderStatus.pending } },
  )
}

/** For an order that was completed by hand before its payment was reported. */
export async function nameReference(
  database: DatabaseService,
  { reference, ...order }: Pick<TopUpRow, 'provider' | 'trade_no' | 'reference'>,
): Promise<void> {
  await topUps(database).update({ reference }, { where: { ...order, reference: '' } })
}

/** What has gone back for an order, and what was taken back for it. The order must be locked. */
export async function writeRefunded(
  database: DatabaseService,
  order: Pick<TopUpRow, 'id' | 'quota' | 'status'>,
  { refunded_quota, taken_quota }: Pick<TopUpRow, 'refunded_quota' | 'taken_quota'>,
  transaction: Transaction,
): Promise<void> {
  const credited = refunded_quota >= order.quota ? orderStatus.refunded : orderStatus.paid
  const status = order.status === orderStatus.unowned ? order.status : credited
  await topUps(database).update(
    { refunded_quota, taken_quota, status },
    { where: { id: order.id }, transaction },
  )
}

/** Does nothing if the fact is known already. */
export async function insertReversal(
  database: DatabaseService,
  fact: TopUpReversalRow,
): Promise<void> {
  await database.run(
    `INSERT INTO top_up_reversals (provider, reference, name, kind, money, currency, create_time)
     VALUES (:provider, :reference, :name, :kind, :money, :currency, :create_time)
     ON CONFLICT (provider, reference, name, kind, money) DO NOTHING`,
    { ...fact },
  )
}

/** Empty if the customer does not exist. */
export async function customerName(
  database: DatabaseService,
  userId: number,
  transaction?: Transaction,
): Promise<string> {
  const [row] = await database.select<{ username: string }>(
    'SELECT username FROM users WHERE id = :userId',
    { userId },
    transaction,
  )
  return row?.username ?? ''
}

/** Undefined if the account is deregistered or removed. */
export async function liveCustomer(
  database: DatabaseService,
  userId: number,
  transaction?: Transaction,
): Promise<{ id: number } | undefined> {
  const [row] = await database.select<{ id: number }>(
    'SELECT id FROM users WHERE id = :userId AND deleted_at IS NULL',
    { userId },
    transaction,
  )
  return row
}

/** Locks the balance; undefined if the user does not exist. */
export async function lockedBalance(
  database: DatabaseService,
  userId: number,
  transaction: Transaction,
): Promise<number | undefined> {
  const [row] = await database.select<{ quota: number }>(
    `SELECT quota FROM users WHERE id = :userId ${rowLock(database)}`,
    { userId },
    transaction,
  )
  return row?.quota
}
