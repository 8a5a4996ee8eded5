// Stripe Checkout. Sources: docs.stripe.com/api/checkout/sessions/create, docs.stripe.com/webhooks.
import {
  errorType,
  type HttpClient,
  isObject,
  type OptionReader,
  type PaymentOrder,
  type PaymentProvider,
} from '#core'
import { decimalsOf, minorOf } from './currency.ts'
import { readEvent } from './read-event.ts'
import { isSigned } from './signature.ts'

const apiAddress = 'https://api.stripe.com'

const forged = errorType('pay_stripe.signature', 400, {
  en: 'The signature of the event is wrong or too old.',
  zh: '事件签名错误或已过期。',
})
const refused = errorType<{ reason: string }>('pay_stripe.refused', 502, {
  en: 'Stripe did not take the order ({reason}). Tell the administrator.',
  zh: 'Stripe 未接受该订单（{reason}），请联系管理员。',
})

interface StripeServices {
  environment: { read(name: string): string | undefined }
  options: OptionReader
  fetch: HttpClient['json']
}

export function stripe({ environment, options, fetch }: StripeServices): PaymentProvider {
  const keys = ['StripeApiSecret', 'StripeWebhookSecret']
  const isConfigured = () => keys.every((key) => options.get<string>(key) !== '')
  return {
    id: 'stripe',
    noticePath: '/api/stripe/webhook',
    methods: () => (isConfigured() ? [{ id: 'stripe', name: { en: 'Stripe', zh: 'Stripe' } }] : []),
    currency: () => {
      const code = options.get<string>('StripeCurrency').toUpperCase()
      return { code, decimals: decimalsOf(code) ?? 2 }
    },
    // The secret of the webhook belongs to one account.
    merchant: () => '',
    unitPrice: () => options.get<number>('StripeUnitPrice'),
    minimum: () => options.get<number>('StripeMinTopUp'),
    start: async (order) => {
      const secret = options.get<string>('StripeApiSecret')
      const api = apiOf(environment)
      return { kind: 'redirect', url: await openSession({ fetch, api, secret }, order) }
    },
    readNotice({ body, headers }) {
      const header = [headers['stripe-signature'] ?? ''].flat().join(',')
      const secret = options.get<string>('StripeWebhookSecret')
      if (!isSigned(body, { header, secret })) throw forged()
      return readEvent(body)
    },
    answerNotice: (isTaken) => ({ status: isTaken ? 200 : 400, body: { received: isTaken } }),
  }
}

/** Tests use a stand-in for Stripe. */
export function apiOf(environment: StripeServices['environment']): string {
  return (environment.read('STRIPE_API_URL') || apiAddress).replace(/\/$/, '')
}

/** Creates a Checkout session.
 *  @returns the address of the page to pay on
 *  @throws pay_stripe.refused */
async function openSession(
  { fetch, api, secret }: { fetch: HttpClient['json']; api: string; secret: string },
  order: PaymentOrder,
): Promise<string> {
  const item = 'line_items[0]'
  const form = new URLSearchParams({
    mode: 'payment',
    client_reference_id: order.trade_no,
    success_url: order.returnUrl,
    cancel_url: order.cancelUrl,
    [`${item}[quantity]`]: '1',
    [`${item}[price_data][currency]`]: order.currency.toLowerCase(),
    [`${item}[price_data][unit_amount]`]: minorOf(order.money, order.currency),
    [`${item}[price_data][product_data][name]`]: `TUC${order.amount}`,
    'metadata[trade_no]': order.trade_no,
    'payment_intent_data[metadata][trade_no]': order.trade_no,
  })
  const { status, body } = await fetch({
    method: 'POST',
    url: `${api}/v1/checkout/sessions`,
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': order.trade_no,
    },
    body: form.toString(),
  })
  const answer = isObject(body) ? body : {}
  const { url, error } = answer
  if (status < 300 && typeof url === 'string') return url
  const reason = isObject(error) && typeof error['code'] === 'string' ? error['code'] : ''
  throw refused({ reason: (reason || `HTTP ${status}`).slice(0, 80) })
}
