import type { Transaction } from 'sequelize'
import type { LedgerKind, NewBalance } from '../../contract/money-services.ts'
import type { Database } from '../../data/database.ts'
import { rowLock } from '../../data/row-lock-sql.ts'
import type { LeaseBook } from './lease-book.ts'
import type { LeaseRecalls } from './lease-recalls.ts'
import type { LeaseStore } from './lease-store-sql.ts'
import {
  type AmountWords,
  balanceChanged,
  balanceTooLarge,
  ledgerEntryRepeated,
  ledgerUserMissing,
  quotaInsufficient,
} from './ledger-errors.ts'

export interface BalanceChange {
  userId: number
  units: number
  kind: LedgerKind
  ref: string
  transaction: Transaction
  /** See LedgerService. */
  includesReserved?: boolean
}

interface BalanceRow {
  quota: number
  used_quota: number
}

/** All changes of balances except those by calls. Each is entered in the ledger inside the caller's transaction. */
export class Balances {
  readonly #database: Database
  readonly #book: LeaseBook
  readonly #store: LeaseStore
  readonly #recalls: LeaseRecalls
  readonly #wordsOf: AmountWords

  constructor(parts: {
    database: Database
    book: LeaseBook
    store: LeaseStore
    recalls: LeaseRecalls
    wordsOf: AmountWords
  }) {
    this.#database = parts.database
    this.#book = parts.book
    this.#store = parts.store
    this.#recalls = parts.recalls
    this.#wordsOf = parts.wordsOf
  }

  /** The balance of a user; 0 if there is none. */
  async of(userId: number): Promise<number> {
    const sql = 'SELECT quota FROM users WHERE id = :userId'
    const [row] = await this.#database.select<{ quota: number }>(sql, { userId })
    return row?.quota ?? 0
  }

  /** The balances of those users that exist. */
  async ofAll(userIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const sql = 'SELECT id, quota FROM users WHERE id IN (:userIds)'
    const rows = await this.#database.select<{ id: number; quota: number }>(sql, { userIds })
    return new Map(rows.map(({ id, quota }) => [id, quota]))
  }

  /** @throws quota.insufficient, quota.too_large, ledger.entry_repeated, ledger.user_missing */
  async change(change: BalanceChange): Promise<{ balance: number }> {
    const { userId, units, transaction, includesReserved = false } = change
    requireInteger(units)
    const { quota: before } = await this.#rowForUpdate(userId, transaction)
    await this.#refuseRepeated(change)
    // Above this limit, a number loses its last digits.
    if (units > 0 && before + units > Number.MAX_SAFE_INTEGER) throw balanceTooLarge()
    if (units < 0) await this.#shrinkLease('user', userId, transaction)
    if (units < 0 && includesReserved) await this.#recalls.mark('user', userId, transaction)
    const [row] = await this.#database.select<{ quota: number }>(
      `UPDATE users SET quota = quota + :units
      WHERE id = :userId AND (:units >= 0 OR quota - leased * :spared >= -(:units)) RETURNING quota`,
      { userId, units, spared: includesReserved ? 0 : 1 },
      transaction,
    )
    if (row === undefined) throw quotaInsufficient({ need: -units, amount: this.#wordsOf(-units) })
    await this.#enter(change, row.quota)
    return { balance: row.quota }
  }

  /** @throws quota.changed, quota.too_large, ledger.entry_repeated, ledger.user_missing */
  async setBalance(input: NewBalance): Promise<{ before: number; after: number }> {
    const { userId, ref, transaction } = input
    requireInteger(input.balance)
    const row = await this.#rowForUpdate(userId, transaction)
    const before = row.quota
    const balance = this.#balanceToSet(input, row)
    const change: BalanceChange = {
      userId,
      units: balance - before,
      kind: 'admin',
      ref,
      transaction,
    }
    await this.#refuseRepeated(change)
    // Units that were leased in advance must not survive a lower balance.
    await this.#shrinkLease('user', userId, transaction)
    if (change.units < 0) await this.#recalls.mark('user', userId, transaction)
    if (change.units !== 0) {
      await this.#database.run(
        'UPDATE users SET quota = :balance WHERE id = :userId',
        { balance, userId },
        transaction,
      )
      await this.#enter(change, balance)
    }
    return { before, after: balance }
  }

  async setTokenRemain(tokenId: number, remain: number, transaction: Transaction): Promise<void> {
    requireInteger(remain)
    await this.#shrinkLease('token', tokenId, transaction)
    await this.#database.run(
      'UPDATE tokens SET remain_quota = :remain WHERE id = :tokenId',
      { remain, tokenId },
      transaction,
    )
    await this.#recalls.mark('token', tokenId, transaction)
  }

  /** Takes back what all nodes have leased of a user and of one of their tokens (0 for none). Locks both in the order
   *  of charges, so it must be called before the token's row is written. */
  async recall(userId: number, tokenId: number, transaction: Transaction): Promise<void> {
    const subjects = (
      [
        ['user', userId],
        ['token', tokenId],
      ] as const
    ).filter(([, id]) => id !== 0)
    for (const [kind, id] of subjects) await this.#store.lock(kind, [id], transaction)
    for (const [kind, id] of subjects) await this.#shrinkLease(kind, id, transaction)
    for (const [kind, id] of subjects) await this.#recalls.mark(kind, id, transaction)
  }

  async #shrinkLease(kind: 'user' | 'token', id: number, transaction: Transaction): Promise<void> {
    await this.#store.lock(kind, [id], transaction)
    const free = this.#book.surrender(kind, id)
    const known = this.#book.knownOfDoubtful(kind, id)
    const unheard =
      known === undefined ? 0 : await this.#store.unheardOf(kind, id, known, transaction)
    await this.#store.shrink(kind, id, Math.max(free, unheard), transaction)
    // The units leave the book now and reach the balance with the commit. The book does not learn of a rollback.
    this.#book.doubt(kind, id)
  }

  /** Calls move units from `quota` to `used_quota`: a changed sum of the two is somebody else's change. */
  #balanceToSet({ balance, seen }: NewBalance, now: BalanceRow): number {
    if (seen === undefined) return balance
    const spent = now.used_quota - (seen.used_quota ?? now.used_quota)
    const after = balance === 0 ? 0 : balance - spent
    // Done already: the answer to an earlier try was lost.
    if (now.quota === after) return after
    const isSame = now.quota + spent === seen.quota
    // More was spent meanwhile than the new balance holds.
    const isOverspent = after < 0 && after < now.quota
    if (!isSame || isOverspent)
      throw balanceChanged({ ...now, amount: this.#wordsOf(now.quota) }, { field: 'quota' })
    if (after > Number.MAX_SAFE_INTEGER) throw balanceTooLarge()
    return after
  }

  async #rowForUpdate(userId: number, transaction: Transaction): Promise<BalanceRow> {
    const [row] = await this.#database.select<BalanceRow>(
      `SELECT quota, used_quota FROM users WHERE id = :userId ${rowLock(this.#database)}`,
      { userId },
      transaction,
    )
    if (row === undefined) throw ledgerUserMissing({ id: userId })
    return row
  }

  /** Checked before anything is written. The unique index guards against two transactions at once. */
  async #refuseRepeated({ kind, ref, transaction }: BalanceChange): Promise<void> {
    if (kind === 'consume') return
    const rows = await this.#database.select(
      `SELECT id FROM ledger_entries WHERE kind = :kind AND ref = :ref AND kind <> 'consume'`,
      { kind, ref },
      transaction,
    )
    if (rows.length > 0) throw ledgerEntryRepeated({ kind, ref })
  }

  async #enter(
    { userId, kind, ref, units, transaction }: BalanceChange,
    balance: number,
  ): Promise<void> {
    const createdAt = Math.floor(Date.now() / 1000)
    await this.#database.run(
      `INSERT INTO ledger_entries (user_id, token_id, kind, ref, amount, balance, created_at)
      VALUES (:userId, 0, :kind, :ref, :units, :balance, :createdAt)`,
      { userId, kind, ref, units, balance, createdAt },
      transaction,
    )
  }
}

function requireInteger(units: number): void {
  if (!Number.isSafeInteger(units)) throw new RangeError(`${units} is no whole number of units`)
}

export function requireUnits(units: number): void {
  requireInteger(units)
  if (units < 0) throw new RangeError(`${units} is less than no units`)
}
