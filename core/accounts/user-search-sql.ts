import { literal, Op, type OrderItem, type WhereOptions } from 'sequelize'
import type { UserFilter } from '../contract/account-services.ts'
import type { DatabaseService } from '../contract/services.ts'
import type { UserRow } from '../data/models/user.ts'

/** One text of all three costs one comparison a user; no keyword has a line end. */
const words = `username || '\n' || email || '\n' || display_name`
/** Both databases fold these letters by themselves, and fast. */
const plainSigns = /^[\x20-\x7e]*$/

/** The conditions of a search and the values of its SQL: `%` and `_` are taken literally, letter case does not matter. */
export function searchConditions(
  query: UserFilter,
  dialect: DatabaseService['dialect'],
): {
  where: WhereOptions<UserRow>
  bind: Record<string, string>
} {
  const fixed = {
    ...(query.group === '' ? {} : { group: query.group }),
    ...(query.role === undefined ? {} : { role: query.role }),
    ...statusCondition(query.status),
  }
  const keyword = query.keyword
    .normalize('NFC')
    .trim()
    .replaceAll(/[\0\n]/g, '')
  if (keyword === '') return { where: fixed, bind: {} }
  const { sql, pattern } = plainSigns.test(keyword)
    ? likeOf(keyword)
    : signsOf(keyword, dialect === 'postgres')
  const like = literal(sql)
  const isId = /^\d+$/.test(keyword) && Number.isSafeInteger(Number(keyword))
  const either = isId ? [like, { id: Number(keyword) }] : [like]
  return {
    where: { [Op.and]: [{ [Op.or]: either }, fixed] },
    bind: { pattern },
  }
}

function likeOf(keyword: string) {
  const pattern = `%${keyword.replace(/[!%_]/g, '!$&')}%`
  return { sql: `LOWER(${words}) LIKE LOWER($pattern) ESCAPE '!'`, pattern }
}

/** SQLite folds A to Z alone, and PostgreSQL what its locale folds: each sign of the keyword stands there with its other cases instead. */
function signsOf(keyword: string, isPostgres: boolean) {
  const signs = Array.from(keyword, (sign) => {
    const cases = casesOf(sign)
    if (cases.length > 1) return `[${cases.join('')}]`
    if (isPostgres) return sign.replace(/[\\^$.|?*+(){}[\]]/, String.raw`\$&`)
    return sign.replace(/[*?[]/, '[$&]')
  }).join('')
  return isPostgres
    ? { sql: `(${words}) ~ $pattern`, pattern: signs }
    : { sql: `(${words}) GLOB $pattern`, pattern: `*${signs}*` }
}

/** What is no letter has none but itself, and neither has one whose other case is two signs. */
function casesOf(sign: string): string[] {
  const upper = sign.toUpperCase()
  const cases = [sign, sign.toLowerCase(), upper, upper.toLowerCase()]
  return [...new Set(cases.filter((other) => Array.from(other).length === 1))]
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
