// The way of a customer through a payment method: order, the provider's page, the wallet.
import type { Customer } from '../harness/shop.ts'

/** Where the browser goes to pay; `fields` are posted there when the method asks for a form. */
export interface PaymentPage {
  url: string
  fields: Record<string, string>
}

/** Orders `amount` units of quota, to be paid by the method `payment_method`. @throws ApiRefusal */
export async function orderAt(
  { client }: Pick<Customer, 'client'>,
  order: { amount: number; payment_method: string },
): Promise<PaymentPage> {
  const answer = await client.call<Record<string, string>>('POST', '/api/user/pay', order)
  if (!answer.success) throw new Error(`the order was refused: ${answer.message}`)
  const { pay_link: link, ...fields } = answer.data
  const address = link ?? answer.body['url']
  if (typeof address !== 'string') throw new Error('the order leads to no page')
  return { url: address, fields: link === undefined ? fields : {} }
}

export interface ShownOrder {
  trade_no: string
  status: string
  amount: number
}

/** The customer's own orders, newest first. */
export async function ordersOf({ client }: Pick<Customer, 'client'>): Promise<ShownOrder[]> {
  return (await client.get<{ items: ShownOrder[] }>('/api/user/topup/self')).items
}
