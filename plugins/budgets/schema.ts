import { type Static, Type } from '@sinclair/typebox'

export const periods = ['day', 'week', 'month'] as const
export type Period = (typeof periods)[number]

/** `all`: one sum for all calls that it is for; else one for each user, or each token. */
export const counts = ['all', 'user', 'token'] as const
export type Count = (typeof counts)[number]

/** Percent of a budget at which somebody is told, the highest first. */
export const heights = [100, 80] as const

export const LONGEST_NAME = 80
export const MOST_BUDGETS = 1_000
export const MOST_UNITS = 1_000_000_000_000_000

const choice = (values: readonly string[]) => values.map((value) => Type.Literal(value))
const id = (least: number) => Type.Integer({ minimum: least, maximum: Number.MAX_SAFE_INTEGER })

/** What an admin writes. 0 and an empty text: any. */
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
  /** Units of this period; of a budget that counts users or tokens one by one, of the one that has used most. */
  used: number
  /** Whose that is: a user's or token's id, 0 where all are counted together. */
  most_used_by: number
  /** How many have used it up in this period. */
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

/** What a user is told of a budget that limits him. */
export interface OwnBudget {
  id: number
  name: string
  period: Period
  limit: number
  used: number
  /** 0: any of his tokens. */
  token_id: number
  group: string
  model: string
  ends_at: number
}

export interface OwnBudgets {
  items: OwnBudget[]
  time_zone: string
}
