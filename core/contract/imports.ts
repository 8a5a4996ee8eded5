// Taking over the database of another gateway: `tollgate import`.
import type { Transaction } from 'sequelize'

/** A row of the other gateway's database. */
export interface ImportedRow {
  /** The column as text; empty if it is null, or if its table has no such column. */
  text(column: string): string
  /** The column as a whole number, cut off after the point; 0 if it is null, missing, no number or beyond 2^53. */
  whole(column: string): number
  isTrue(column: string): boolean
}

export interface ImportContext {
  /** All of an import is one transaction, so that one that fails leaves nothing. */
  transaction: Transaction
  /** Counts a row that is not taken over. The reason completes "3 rows of redemptions were left out: …". */
  leaveOut(reason: string): void
}

/** Takes over the rows of a table that belongs to a plugin here. */
export interface TableImport {
  /** The table's name in the other gateway's database. */
  id: string
  /** Called once if that database has the table, after accounts, tokens and channels were taken over with their ids. The rows come in the order of
   *  their ids.
   *  @returns how many rows were taken over
   *  @throws Error for the operator: the whole import is undone */
  take(rows: AsyncIterable<ImportedRow>, context: ImportContext): Promise<number>
}
