import {
  errorType,
  isObject,
  type PaymentOrder,
  type PaymentProvider,
  type PaymentStart,
  type PluginServices,
} from 'tollgate/contract'
import { fromMinor, toMinor } from './amounts.ts'
import { noticeOf } from './notices.ts'
import { isSigned } from './signature.ts'

type Services = Pick<PluginServices, 'options' | 'fetch' | 'log'>

const refused = errorType<{ status: number }>('tilla.refused', 502, {
  en: 'Tilla did not take the order (HTTP {status}). Try again, or pay another way.',
  zh: 'Tilla 未接受订单（HTTP {status}），请重试或更换支付方式。',
})
const forged = errorType('tilla.forged', 400, {
  en: 'The notice does not come from Tilla.',
  zh: '该通知并非来自 Tilla。',
})

/** How old a notice may be: an old one that somebody has seen is not sent again by him. */
const OLDEST_SECONDS = 300
const decimalsOf: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0 }

export function provider(services: Services): PaymentProvider {
  const { options } = services
  const option = (key: string) => options.get<string>(key)
  const currency = () => {
    const code = option('TillaCurrency')
    return { code, decimals: decimalsOf[code] ?? 2 }
  }
  return {
    id: 'tilla',
    // Without its secrets nothing is sold and no notice is read.
    methods: () =>
      option('TillaKey') && option('TillaNoticeSecret') && option('TillaShop')
        ? [{ id: 'tilla', name: { en: 'Tilla', zh: 'Tilla' } }]
        : [],
    currency,
    merchant: () => option('TillaShop'),
    unitPrice: () => options.get<number>('TillaUnitPrice'),
    start: (order) => startAt(order, services, currency().decimals),
    readNotice({ body, headers }) {
      const secret = option('TillaNoticeSecret')
      const signature = String(headers['tilla-signature'] ?? '')
      const nowSeconds = Math.floor(Date.now() / 1000)
      if (!isSigned(body, signature, { secret, nowSeconds, oldestSeconds: OLDEST_SECONDS }))
        throw forged()
      return noticeOf(body, (minor, code) => fromMinor(minor, decimalsOf[code] ?? 2))
    },
    // Whatever is not 200 is sent again.
    answerNotice: (isTaken) => ({ status: isTaken ? 200 : 400, body: { received: isTaken } }),
  }
}

async function startAt(
  order: PaymentOrder,
  { options, fetch, log }: Services,
  decimals: number,
): Promise<PaymentStart> {
  const { status, body } = await fetch({
    method: 'POST',
    url: `${options.get<string>('TillaAddress')}/v1/checkouts`,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${options.get<string>('TillaKey')}`,
      // The same order twice is one checkout.
      'idempotency-key': order.trade_no,
    },
    body: JSON.stringify({
      shop: options.get<string>('TillaShop'),
      order: order.trade_no,
      amount: toMinor(order.money, decimals),
      currency: order.currency,
      notices: order.noticeUrl,
      done: order.returnUrl,
      given_up: order.cancelUrl,
    }),
  })
  const page = isObject(body) ? body['page'] : undefined
  if (status === 200 && typeof page === 'string') return { kind: 'redirect', url: page }
  log.warn({ status, order: order.trade_no }, 'Tilla did not take an order')
  throw refused({ status })
}
