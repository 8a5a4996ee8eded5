// Table `top_up_reversals`, stated once: what a provider told of money that went back to a customer, or came again. Facts are only added.
import { type Static, Type } from '@sinclair/typebox'
import { defineModel } from './define-model.ts'

const topUpReversalRow = Type.Object({
  provider: Type.String({ description: 'Id of the payment provider.' }),
  reference: Type.String({ description: "The provider's name of the payment." }),
  name: Type.String({ description: "The provider's name of the case; empty: all refunds." }),
  kind: Type.String(),
  money: Type.String({ description: 'Decimal text: all of this case so far.' }),
  currency: Type.String({ description: 'ISO 4217.' }),
  create_time: Type.Integer({ description: 'Unix seconds.' }),
})
export type TopUpReversalRow = Static<typeof topUpReversalRow>

export const topUpReversals = defineModel('top_up_reversals', topUpReversalRow, [
  'provider',
  'reference',
  'name',
  'kind',
  'money',
])

/** `gone`: a dispute, or all refunds together. `returned`: the dispute is over and the money is back, for good. `refund`: one refund by its name;
 *  `refund_failed`: it came back. */
export const reversalKind = {
  gone: 'gone',
  returned: 'returned',
  refund: 'refund',
  refundFailed: 'refund_failed',
} as const
