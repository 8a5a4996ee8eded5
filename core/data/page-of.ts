import type { CountOptions, FindOptions, WhereOptions } from 'sequelize'
import type { Table } from './models/define-model.ts'

interface Place {
  limit: number
  offset: number
}

/** A page of a table, and how many rows match. Ids alone are sorted, or passed over up to the page, in a fraction of the time that
 *  whole rows take. */
export async function pageOf<Row extends { id: number }>(
  model: Table<Row>,
  { where, bind, order }: Pick<FindOptions<Row>, 'where' | 'bind' | 'order'>,
  { limit, offset }: Place,
): Promise<{ rows: Row[]; total: number }> {
  const which = { ...(where && { where }), ...(bind && { bind }) }
  const found = await model.findAll({
    ...which,
    attributes: ['id'],
    order: order ?? [],
    limit,
    offset,
  })
  const ids = found.map((row) => row.get().id)
  const rows =
    ids.length === 0 ? [] : await model.findAll({ where: { id: ids } as WhereOptions<Row> })
  const byId = new Map(rows.map((row) => [row.get().id, row.get()]))
  const total = totalOfLast(ids.length, { limit, offset })
  return {
    rows: ids.flatMap((id) => byId.get(id) ?? []),
    total: total ?? (await model.count(which as CountOptions<Row>)),
  }
}

/** The last page says by itself how many there are: what few or none have is looked for once.
 *  @returns undefined if more may follow */
export function totalOfLast(found: number, { limit, offset }: Place): number | undefined {
  return found < limit && (found > 0 || offset === 0) ? offset + found : undefined
}
