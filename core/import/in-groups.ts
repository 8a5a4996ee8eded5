/** Rows written with one statement. */
const GROUP_ROWS = 500

/** Groups of rows, none empty. */
export async function* inGroups<T>(rows: AsyncIterable<T>): AsyncGenerator<T[]> {
  let group: T[] = []
  for await (const row of rows) {
    group.push(row)
    if (group.length < GROUP_ROWS) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
