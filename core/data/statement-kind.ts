const readPattern = /^\s*(?:SELECT|PRAGMA|EXPLAIN|VALUES)\b/i
const withPattern = /^\s*WITH\b/i
const writePattern = /\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/i
const beginPattern = /^\s*BEGIN\b/i
const endPattern = /^\s*(?:COMMIT|END|ROLLBACK)(?:\s+TRANSACTION)?[\s;]*$/i

/** False if in doubt, because a read that counts as a write only waits for its turn. */
export function isRead(sql: string): boolean {
  return readPattern.test(sql) || (withPattern.test(sql) && !writePattern.test(sql))
}

export function beginsTransaction(sql: string): boolean {
  return beginPattern.test(sql)
}

/** False for ROLLBACK TO a savepoint. */
export function endsTransaction(sql: string): boolean {
  return endPattern.test(sql)
}
