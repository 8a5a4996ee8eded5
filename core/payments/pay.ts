// From the customer's input to the provider's page: price, stored order, start of the payment.
import { AppError } from '../contract/errors.ts'
import type { Caller } from '../contract/http.ts'
import type { PaymentProvider, PaymentStart } from '../contract/payment.ts'
import type { SecretService } from '../contract/services.ts'
import { closeOrder, insertOrder } from './orders-sql.ts'
import { methodUnknown, noAddress, paymentOff, providerAway } from './payment-errors.ts'
import { type Quote, quote } from './quote.ts'
import type { PayDeps } from './payment-deps.ts'

export interface Wish {
  amount: number
  payment_method: string | undefined
  /** The provider to use; undefined for whichever has the method. */
  provider: PaymentProvider | undefined
}

/** @throws payment.off, payment.method_unknown and what `quote` throws */
export function quoteFor(deps: PayDeps, caller: Caller, wish: Wish): Quote {
  const { provider } = chosen(deps, wish)
  return quote(deps.options, provider, { amount: wish.amount, group: caller.group })
}

/** Stores the order before it calls the provider, so that a notice always finds its order.
 *  @throws as `quoteFor`, payment.no_address, and the provider's error */
export async function pay(deps: PayDeps, caller: Caller, wish: Wish) {
  const { provider, method } = chosen(deps, wish)
  const price = quote(deps.options, provider, { amount: wish.amount, group: caller.group })
  // Where customers are sent, and where payments are reported, must not depend on a Host header.
  const site = deps.options.get<string>('ServerAddress')
  if (site === '') throw noAddress()
  const trade_no = newTradeNumber(deps.secrets, caller.id)
  await insertOrder(deps.database, {
    ...price,
    trade_no,
    user_id: caller.id,
    provider: provider.id,
    payment_method: method,
    merchant: provider.merchant(),
  })
  const callbacks = deps.options.get<string>('CustomCallbackAddress') || site
  try {
    return await provider.start({
      trade_no,
      payment_method: method,
      amount: price.amount,
      money: price.money,
      currency: price.currency,
      user: { id: caller.id, username: caller.username },
      noticeUrl: callbacks + noticePathOf(provider),
      returnUrl: `${site}/log`,
      cancelUrl: `${site}/topup`,
    })
  } catch (error) {
    await closeOrder(deps.database, trade_no, 'failed')
    if (!(error instanceof AppError) || !error.code.startsWith('net.')) throw error
    const facts = { provider: provider.id, trade_no, reason: error.messageIn('en') }
    deps.log.warn(facts, 'a payment provider could not be reached')
    throw providerAway({}, { cause: error })
  }
}

/** What the console does with a start: it posts a form to `url`, or opens a link. */
export function startAnswer(start: PaymentStart): { data: unknown; url: string } {
  const { url } = start
  return { data: start.kind === 'form' ? start.fields : { pay_link: url }, url }
}

export function noticePathOf({ id, noticePath }: PaymentProvider): string {
  return noticePath ?? `/api/user/${id}/notify`
}

function chosen(
  { providers }: PayDeps,
  { provider, payment_method }: Wish,
): { provider: PaymentProvider; method: string } {
  const open = (provider ? [provider] : providers).flatMap((one) =>
    one.methods().map(({ id }) => ({ provider: one, method: id })),
  )
  const [first] = open
  if (!first) throw paymentOff()
  if (payment_method === undefined) return first
  const found = open.find(({ method }) => method === payment_method)
  if (!found) throw methodUnknown({}, { field: 'payment_method' })
  return found
}

function newTradeNumber(secrets: SecretService, userId: number): string {
  return `USR${userId}NO${secrets.random(6)}${Math.floor(Date.now() / 1000)}`
}
