/** What `/api/user/topup/info` answers; amounts are in what a customer enters. */
export interface Offer {
  enable_online_topup: boolean
  methods: readonly PayMethod[]
  amount_options: readonly number[]
  /** From which amount on which factor applies. */
  amount_discount: Readonly<Record<string, number>>
}

export interface PayMethod {
  id: string
  name: string
  currency: string
  minimum: number
}

/** The factor for the amount: that of the highest step which it reaches. */
export function discountFor(offer: Pick<Offer, 'amount_discount'>, amount: number): number {
  const reached = Object.entries(offer.amount_discount)
    .map(([from, factor]) => ({ from: Number(from), factor }))
    .filter(({ from }) => from <= amount)
    .sort((left, right) => right.from - left.from)
  return reached[0]?.factor ?? 1
}

/** The specification forces what is below 1 to 1; beyond that only whole amounts are sold. */
export function soundAmount(amount: number | undefined): number {
  return Math.max(1, Math.floor(amount ?? 1))
}
