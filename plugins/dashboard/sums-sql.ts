// What each table of this plugin sums, in the order of its columns.
export const sumColumns = ['token_used', 'count', 'quota'] as const

export const sumList = sumColumns.join(', ')

/** The sums of a group of rows. */
export const summedList = sumColumns.map((column) => `CAST(SUM(${column}) AS BIGINT)`).join(', ')

/** The same under the names of the columns. */
export const namedSums = sumColumns
  .map((column) => `CAST(SUM(${column}) AS BIGINT) AS ${column}`)
  .join(', ')

/** What an insert does where the row is there already. */
export const replacedSums = sumColumns.map((column) => `${column} = excluded.${column}`).join(', ')

/** The columns as they are, or to be subtracted. */
export function signedSums(sign: 1 | -1): string[] {
  return sumColumns.map((column) => (sign === 1 ? column : `-${column} AS ${column}`))
}
