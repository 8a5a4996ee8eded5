import { literal, Op, type WhereOptions } from 'sequelize'
import type { UserRow } from '../data/models/user.ts'

const columns = ['username', 'email', 'display_name'] as const

/** The conditions of a search and the values of its SQL: `%` and `_` are taken literally, letter case does not matter. */
export function searchConditions(query: { keyword: string; group: string }): {
  where: WhereOptions<UserRow>
  bind: Record<string, string>
} {
  const group = query.group === '' ? {} : { group: query.group }
  const keyword = query.keyword.trim().replaceAll('\0', '')
  if (keyword === '') return { where: group, bind: {} }
  const like = columns.map((column) => literal(`LOWER(${column}) LIKE LOWER($pattern) ESCAPE '!'`))
  const isId = /^\d+$/.test(keyword) && Number.isSafeInteger(Number(keyword))
  const either = isId ? [...like, { id: Number(keyword) }] : like
  return {
    where: { [Op.and]: [{ [Op.or]: either }, group] },
    bind: { pattern: `%${keyword.replace(/[!%_]/g, '!$&')}%` },
  }
}
