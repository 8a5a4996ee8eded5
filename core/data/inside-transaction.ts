// Which code runs inside a transaction: a statement there must be given the transaction.
import { AsyncLocalStorage } from 'node:async_hooks'
import { withoutAdmission } from './admission.ts'

interface OpenTransaction {
  isOpen: boolean
}

const openTransactions = new AsyncLocalStorage<OpenTransaction>()

/** Marks `work` as the inside of a transaction, so that a write which does not name the transaction is found. */
export async function insideTransaction<T>(work: () => Promise<T>): Promise<T> {
  const mark = { isOpen: true }
  try {
    return await openTransactions.run(mark, work)
  } finally {
    mark.isOpen = false
  }
}

/** Runs `work` without that mark and without the caller's admission: for work that is started inside a transaction but
 *  not awaited there. */
export function outsideTransaction<T>(work: () => T): T {
  return openTransactions.exit(() => withoutAdmission(work))
}

/** A write that does not name the transaction inside which it is awaited would wait for the end of the transaction, which
 *  waits for the write.
 *  @throws Error, in place of hanging */
export function refuseInsideTransaction(sql: string): void {
  if (openTransactions.getStore()?.isOpen !== true) return
  throw new Error(
    `A statement inside a transaction was not given the transaction: ${sql.trim().slice(0, 80)}`,
  )
}
