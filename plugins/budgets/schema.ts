import { type Static, Type } from '@sinclair/typebox'

export const periods = ['day', 'week', 'month'] as const
export type Period = (typeof periods)[number]

/** `all`: one sum for all calls of the budget. Otherwise one sum per user, or per token. */
export const counts = ['all', 'user', 'token'] as const
export type Count = (typeof counts)[number]

/** Percentages of a budget at which somebody is notified, highest first. */
export const heights = [100, 80] as const

export const LONGEST_NAME = 80
export const MOST_BUDGETS = 1_000
const MOST_UNITS = 1_000_000_000_000_000

const choice = (values: readonly string[]) => values.map((value) => Type.Literal(value))
const id = (least: number) => Type.Integer({ minimum: least, maximum: Number.MAX_SAFE_INTEGER })

/** A budget as an admin writes it. 0 and an empty text mean any. */
export const budgetBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: LONGEST_NAME, pattern: '\\S' }),
    period: Type.Unsafe<Period>(Type.Union(choice(periods))),
    limit: Type.Integer({ minimum: 1, maximum: MOST_UNITS, description: 'Units.' }),
    count: Type.Unsafe<Count>(Type.Union(choice(counts))),
    user_id: id(0),
    token_id: id(0),
    group: Type.String({ maxLength: 64 }),
    model: Type.String({ maxLength: 200, description: 'A star at the end matches any ending.' }),
    enabled: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type BudgetBody = Static<typeof budgetBody>

export const budgetInPath = Type.Object({ id: id(1) })

export interface Budget extends BudgetBody {
  id: number
  created_at: number
}

/** One budget as admins see it. */
export interface ShownBudget extends Budget {
  /** Units spent in this period. If users or tokens are counted separately, of the one that has spent most. */
  used: number
  /** Who has spent that: the id of a user or token, 0 if all are counted together. */
  most_used_by: number
  /** How many users or tokens have used it up in this period. */
  exhausted: number
  /** Unix seconds. */
  begins_at: number
  ends_at: number
}

export interface BudgetList {
  items: ShownBudget[]
  total: number
  time_zone: string
}

/** A budget as the users see it whom it limits. */
export interface OwnBudget {
  id: number
  name: string
  period: Period
  limit: number
  used: number
  /** 0: any of the user's tokens. */
  token_id: number
  group: string
  model: string
  ends_at: number
}

export interface OwnBudgets {
  items: OwnBudget[]
  time_zone: string
}
