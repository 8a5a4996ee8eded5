import { setImmediate as nextTurn } from 'node:timers/promises'
import { envelope } from '#core'

/** Rows that are written before the event loop gets its turn. A page of tags has all of their channels, which may be all there are. */
const ROWS_AT_ONCE = 500

/** The envelope of a list, as text. */
export async function writeList<Row>(
  rows: readonly Row[],
  shown: (row: Row) => object,
): Promise<string> {
  const pieces: string[] = []
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    if (at > 0) await nextTurn()
    pieces.push(JSON.stringify(rows.slice(at, at + ROWS_AT_ONCE).map(shown)).slice(1, -1))
  }
  return `${JSON.stringify(envelope()).slice(0, -1)},"data":[${pieces.join()}]}`
}
