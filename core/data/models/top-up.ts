// Table `top_ups`, stated once: orders of quota that are paid online.
import { type Static, Type } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

const topUpRow = Type.Object({
  id: Type.Integer(),
  user_id: Type.Integer(),
  trade_no: Type.String({ description: 'The number of the order; unique.' }),
  provider: Type.String({ description: 'Id of the payment provider.' }),
  payment_method: Type.String(),
  merchant: Type.String({ default: '', description: 'Who was to be paid.' }),
  amount: Type.Integer({ description: 'As entered: units, or raw quota where that is shown.' }),
  quota: Type.Integer({ description: 'Units of quota that the payment credits.' }),
  money: Type.String({ description: 'Decimal text: the sum to pay.' }),
  currency: Type.String({ description: 'ISO 4217.' }),
  status: Type.String({ default: 'pending' }),
  reference: Type.String({ default: '', description: "The provider's name of the payment." }),
  refunded_quota: Type.Integer({
    default: 0,
    description: 'Units of quota whose price has gone back to the customer.',
  }),
  taken_quota: Type.Integer({
    default: 0,
    description: 'Of these, what the balance still had and was taken back.',
  }),
  create_time: Type.Integer({ description: 'Unix seconds.' }),
  complete_time: Type.Integer({ default: 0, description: 'Unix seconds; 0: not paid.' }),
})
export type TopUpRow = Static<typeof topUpRow>

export const topUps = defineModel('top_ups', topUpRow, ['id'])

/** `failed`: the provider did not take it. `refunded`: all of it has gone back. `account_removed`: paid, but there was no account left to credit. */
export const orderStatus = {
  pending: 'pending',
  paid: 'success',
  expired: 'expired',
  failed: 'failed',
  refunded: 'refunded',
  unowned: 'account_removed',
} as const

/** The reference of an order's entries in the ledger; `ledger verify` compares both. */
export function ledgerRefOf({ trade_no }: Pick<TopUpRow, 'trade_no'>): string {
  return `order:${trade_no}`
}

/** What its customer sees of an order. */
export type OwnTopUp = Omit<TopUpRow, 'merchant' | 'reference' | 'provider'>

export function toOwnTopUp(row: TopUpRow): OwnTopUp {
  const { merchant: _merchant, reference: _reference, provider: _provider, ...own } = row
  return own
}
