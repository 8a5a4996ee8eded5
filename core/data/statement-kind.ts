const readPattern = /^\s*(?:SELECT|PRAGMA|EXPLAIN|VALUES)\b/i
const withPattern = /^\s*WITH\b/i
const writePattern = /\b(?:INSERT|UPDATE|DELETE|REPLACE)\b/i
const beginPattern = /^\s*BEGIN\b/i
const endPattern = /^\s*(?:COMMIT|END|ROLLBACK)(?:\s+TRANSACTION)?[\s;]*$/i

/** False in doubt: a read taken for a write only waits its turn. */
export function isRead(sql: string): boolean {
  return readPattern.test(sql) || (withPattern.test(sql) && !writePattern.test(sql))
}

export function beginsTransaction(sql: string): boolean {
  return beginPattern.test(sql)
}

/** ROLLBACK TO a savepoint ends nothing. */
export function endsTransaction(sql: string): boolean {
  return endPattern.test(sql)
}
