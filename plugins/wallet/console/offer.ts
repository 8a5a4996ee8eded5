/** The answer of `/api/user/topup/info`. Amounts are in the unit in which a customer enters them. */
export interface Offer {
  enable_online_topup: boolean
  methods: readonly PayMethod[]
  amount_options: readonly number[]
  /** The factors by the amount from which each applies. */
  amount_discount: Readonly<Record<string, number>>
}

export interface PayMethod {
  id: string
  name: string
  currency: string
  minimum: number
}

/** The factor for an amount: that of the highest step that the amount reaches. */
export function discountFor(offer: Pick<Offer, 'amount_discount'>, amount: number): number {
  const reached = Object.entries(offer.amount_discount)
    .map(([from, factor]) => ({ from: Number(from), factor }))
    .filter(({ from }) => from <= amount)
    .sort((left, right) => right.from - left.from)
  return reached[0]?.factor ?? 1
}

/** The API accepts no amount below 1, and sells whole amounts only. */
export function soundAmount(amount: number | undefined): number {
  return Math.max(1, Math.floor(amount ?? 1))
}
