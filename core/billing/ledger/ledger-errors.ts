import { errorType, type Text } from '../../contract/errors.ts'

/** Writes an amount as the operator shows amounts. */
export type AmountWords = (units: number) => Text

interface Shortage {
  need: number
  /** What is needed, in the words that the message has for it. */
  amount: Text
  [name: string]: number | Text
}

export const quotaInsufficient = errorType<Shortage>(
  'quota.insufficient',
  403,
  {
    en: 'The balance is too low: this needs {amount}, which is more than is left.',
    zh: '余额不足：需要 {amount}，超过剩余额度。',
  },
  { relay: 'insufficient_user_quota' },
)

export const balanceTooLarge = errorType('quota.too_large', 400, {
  en: 'The balance would become too large.',
  zh: '余额将超出上限。',
})

/** With the balance as it is, for a page to choose anew. */
export const balanceChanged = errorType<{ quota: number; used_quota: number; amount: Text }>(
  'quota.changed',
  409,
  {
    en: 'The balance was changed elsewhere meanwhile: it is {amount} now. Nothing was saved. Check the new balance and save again.',
    zh: '余额已在别处被修改：现为 {amount}。本次未保存，请核对新余额后再次保存。',
  },
)

export const tokenQuotaInsufficient = errorType<Shortage>(
  'quota.token_insufficient',
  403,
  {
    en: 'This call needs {amount}, which is more than the token has left.',
    zh: '本次调用需要 {amount}，令牌剩余额度不足。',
  },
  { relay: 'pre_consume_token_quota_failed' },
)

export const tokenQuotaExhausted = errorType<Shortage>(
  'quota.token_exhausted',
  403,
  {
    en: 'The quota of this API key is used up.',
    zh: '该 API 密钥的额度已用尽。',
  },
  { relay: 'token_quota_exhausted' },
)

export const ledgerEntryRepeated = errorType<{ kind: string; ref: string }>(
  'ledger.entry_repeated',
  409,
  {
    en: 'This change of the balance ({kind} {ref}) was made before.',
    zh: '该笔额度变动（{kind} {ref}）已经入账。',
  },
)

export const ledgerUserMissing = errorType<{ id: number }>('ledger.user_missing', 404, {
  en: 'There is no user {id}.',
  zh: '用户 {id} 不存在。',
})
