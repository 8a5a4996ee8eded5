import { literal, Op, type OrderItem, type WhereOptions } from 'sequelize'
import type { UserFilter } from '../contract/account-services.ts'
import type { UserRow } from '../data/models/user.ts'

/** One text of all three costs one comparison a user; no keyword has a line end. */
const words = `LOWER(username || '\n' || email || '\n' || display_name)`

/** The conditions of a search and the values of its SQL: `%` and `_` are taken literally, letter case does not matter. */
export function searchConditions(query: UserFilter): {
  where: WhereOptions<UserRow>
  bind: Record<string, string>
} {
  const fixed = {
    ...(query.group === '' ? {} : { group: query.group }),
    ...(query.role === undefined ? {} : { role: query.role }),
    ...statusCondition(query.status),
  }
  const keyword = query.keyword.trim().replaceAll(/[\0\n]/g, '')
  if (keyword === '') return { where: fixed, bind: {} }
  const like = literal(`${words} LIKE LOWER($pattern) ESCAPE '!'`)
  const isId = /^\d+$/.test(keyword) && Number.isSafeInteger(Number(keyword))
  const either = isId ? [like, { id: Number(keyword) }] : [like]
  return {
    where: { [Op.and]: [{ [Op.or]: either }, fixed] },
    bind: { pattern: `%${keyword.replace(/[!%_]/g, '!$&')}%` },
  }
}

function statusCondition(status: UserFilter['status']) {
  if (status === undefined) return {}
  return status === 'deleted' ? { deleted_at: { [Op.ne]: null } } : { status, deleted_at: null }
}

/** By its words alone a list may be sorted. */
export function searchOrder({ sort = 'id', isAscending }: UserFilter): OrderItem[] {
  const direction = isAscending ? 'ASC' : 'DESC'
  return sort === 'id'
    ? [['id', direction]]
    : [
        [sort, direction],
        ['id', 'DESC'],
      ]
}
