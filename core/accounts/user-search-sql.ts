import { literal, Op, type OrderItem, type WhereOptions } from 'sequelize'
import type { UserFilter } from '../contract/account-services.ts'
import type { DatabaseService } from '../contract/services.ts'
import { containing, foldedLike } from '../data/folded-like.ts'
import type { UserRow } from '../data/models/user.ts'

const columns = ['username', 'email', 'display_name']
/** One text of all three columns needs one comparison per user; no keyword contains a line end. SQLite compares three sooner than it joins them. */
const words = columns.join(` || '\n' || `)
/** Both databases fold the case of these characters themselves, and fast. */
const plainSigns = /^[\x20-\x7e]*$/

/** The conditions of a search and the values of its SQL. `%` and `_` are taken literally, and letter case does not matter. */
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
    ? likeOf(keyword, dialect)
    : signsOf(keyword, dialect === 'postgres')
  const like = literal(sql)
  const isId = /^\d+$/.test(keyword) && Number.isSafeInteger(Number(keyword))
  const either = isId ? [like, { id: Number(keyword) }] : [like]
  return {
    where: { [Op.and]: [{ [Op.or]: either }, fixed] },
    bind: { pattern },
  }
}

function likeOf(keyword: string, dialect: DatabaseService['dialect']) {
  const texts = dialect === 'sqlite' ? columns : [words]
  const like = (text: string) => foldedLike(dialect, text, { name: '$pattern', word: keyword })
  const either = texts.map(like).join(' OR ')
  return { sql: `(${either})`, pattern: containing(keyword) }
}

/** SQLite folds only A to Z, and PostgreSQL what its locale folds: so each character of the keyword is replaced by all of its cases. */
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

/** Characters that are not letters have no other case; neither have letters whose other case is two characters. */
function casesOf(sign: string): string[] {
  const upper = sign.toUpperCase()
  const cases = [sign, sign.toLowerCase(), upper, upper.toLowerCase()]
  return [...new Set(cases.filter((other) => Array.from(other).length === 1))]
}

function statusCondition(status: UserFilter['status']) {
  if (status === undefined) return {}
  return status === 'deleted' ? { deleted_at: { [Op.ne]: null } } : { status, deleted_at: null }
}

/** The columns that a list may be sorted by. */
export function searchOrder({ sort = 'id', isAscending }: UserFilter): OrderItem[] {
  const direction = isAscending ? 'ASC' : 'DESC'
  return sort === 'id'
    ? [['id', direction]]
    : [
        [sort, direction],
        ['id', 'DESC'],
      ]
}
