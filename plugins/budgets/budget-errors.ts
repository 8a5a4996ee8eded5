import { errorType } from '#core'
import { MOST_BUDGETS } from './schema.ts'

export const budgetExhausted = errorType<{ name: string; when: string }>(
  'budgets.exhausted',
  429,
  {
    en: 'The budget "{name}" is used up. It renews on {when}.',
    zh: '预算“{name}”已用完，将于 {when} 重新开始。',
  },
  // With this code clients are told that repeating the call within seconds does not help.
  { relay: 'insufficient_user_quota' },
)
export const budgetUnknown = errorType('budgets.unknown', 404, {
  en: 'There is no such budget.',
  zh: '预算不存在。',
})
export const tooMany = errorType('budgets.too_many', 409, {
  en: `There are ${MOST_BUDGETS} budgets already, which is the most there may be.`,
  zh: `预算已达上限 ${MOST_BUDGETS} 个。`,
})
export const userUnknown = errorType('budgets.user_unknown', 400, {
  en: 'There is no user with this id.',
  zh: '该用户 ID 不存在。',
})
export const tokenUnknown = errorType('budgets.token_unknown', 400, {
  en: "There is no token with this id, or it is another user's.",
  zh: '该令牌 ID 不存在，或属于其他用户。',
})
