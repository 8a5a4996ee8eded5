import { createHmac } from 'node:crypto'
import {
  errorType,
  isObject,
  isSameSecret,
  type NoticeRequest,
  type PaymentNotice,
  type PaymentProvider,
  type PluginServices,
} from 'tollgate/contract'

const refused = errorType<{ status: number }>('acme.refused', 502, {
  en: 'Acme did not take the order (HTTP {status}). Try again, or pay another way.',
  zh: 'Acme 未接受订单（HTTP {status}），请重试或更换支付方式。',
})
const forged = errorType('acme.forged', 400, {
  en: 'The notice does not come from Acme.',
  zh: '该通知并非来自 Acme。',
})

export function provider({
  options,
  fetch,
}: Pick<PluginServices, 'options' | 'fetch'>): PaymentProvider {
  const option = (key: string) => options.get<string>(key)
  return {
    id: 'acme',
    // Without a secret nothing is sold and no notice is read.
    methods: () =>
      option('AcmeSecret') && option('AcmeAddress')
        ? [{ id: 'acme', name: { en: 'Acme', zh: 'Acme' } }]
        : [],
    currency: () => ({ code: 'EUR', decimals: 2 }),
    // In euros. Without it the option Price counts, which the operator has set in another currency.
    unitPrice: () => options.get<number>('AcmeUnitPrice'),
    merchant: () => option('AcmeShop'),
    async start({ trade_no, money, noticeUrl, returnUrl }) {
      const { status, body } = await fetch({
        method: 'POST',
        url: `${option('AcmeAddress')}/payments`,
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${option('AcmeSecret')}`,
        },
        body: JSON.stringify({ order: trade_no, sum: money, tell: noticeUrl, back: returnUrl }),
      })
      if (status !== 200 || !isObject(body) || typeof body['page'] !== 'string')
        throw refused({ status })
      return { kind: 'redirect', url: body['page'] }
    },
    readNotice: (request) => readNotice(request, option('AcmeSecret')),
    answerNotice: (isTaken) => ({ status: isTaken ? 200 : 400, body: '' }),
  }
}

/** @throws AppError for what Acme has not signed */
function readNotice({ body, headers }: NoticeRequest, secret: string): PaymentNotice {
  const expected = createHmac('sha256', secret).update(body).digest()
  const given = Buffer.from(String(headers['acme-signature'] ?? ''), 'hex')
  if (!isSameSecret(given, expected)) throw forged()
  const event: unknown = JSON.parse(body.toString('utf8'))
  if (!isObject(event) || event['type'] !== 'paid') return { kind: 'ignored' }
  const text = (key: string) => (typeof event[key] === 'string' ? event[key] : '')
  return {
    kind: 'paid',
    trade_no: text('order'),
    // Core compares these with the order and credits it once, however often the notice comes.
    money: text('sum'),
    currency: text('currency'),
    merchant: text('shop'),
    reference: text('id'),
  }
}
