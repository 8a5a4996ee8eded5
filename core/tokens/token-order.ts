import type { OrderItem } from 'sequelize'
import type { TokenOrder } from '../contract/services.ts'

/** Sorts as owners expect it: a token without a limit has more left than any other, and equal ones are sorted newest first. */
export function orderOf({ sort, isAscending }: TokenOrder): OrderItem[] {
  const newestFirst: OrderItem = ['id', 'DESC']
  if (sort === undefined) return [newestFirst]
  const direction = isAscending ? 'ASC' : 'DESC'
  const unlimited: OrderItem[] = sort === 'remain_quota' ? [['unlimited_quota', direction]] : []
  return [...unlimited, [sort, direction], newestFirst]
}
