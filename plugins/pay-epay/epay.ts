// The epay protocol in the form that its gateways share: a signed form that the browser posts, and a signed notice.
import {
  errorType,
  type NoticeRequest,
  type OptionReader,
  type PaymentMethod,
  type PaymentNotice,
  type PaymentProvider,
} from '#core'
import { isSigned, signed } from './signature.ts'

/** Names of the payment methods on the wire and in the gateway. */
const gatewayTypes = new Map([
  ['zfb', 'alipay'],
  ['wx', 'wxpay'],
])

const methods: readonly PaymentMethod[] = [
  { id: 'zfb', name: { en: 'Alipay', zh: '支付宝' } },
  { id: 'wx', name: { en: 'WeChat Pay', zh: '微信支付' } },
]

const forged = errorType('pay_epay.signature', 400, {
  en: 'The signature of the notice is wrong.',
  zh: '支付通知签名错误。',
})

const keys = ['PayAddress', 'EpayId', 'EpayKey'] as const

export function epay(options: OptionReader): PaymentProvider {
  const isConfigured = () => keys.every((key) => options.get<string>(key) !== '')
  return {
    id: 'epay',
    methods: () => (isConfigured() ? methods : []),
    currency: () => ({ code: 'CNY', decimals: 2 }),
    merchant: () => options.get<string>('EpayId'),
    start(order) {
      const fields = {
        pid: options.get<string>('EpayId'),
        type: gatewayTypes.get(order.payment_method) ?? 'wxpay',
        out_trade_no: order.trade_no,
        notify_url: order.noticeUrl,
        return_url: order.returnUrl,
        name: `TUC${order.amount}`,
        money: order.money,
        device: 'pc',
      }
      return Promise.resolve({
        kind: 'form',
        url: addressOf(options.get<string>('PayAddress'), 'submit.php'),
        fields: signed(fields, options.get<string>('EpayKey')),
      })
    },
    readNotice: (request) => readNotice(request, options.get<string>('EpayKey')),
    answerNotice: (isTaken) => ({ status: 200, body: isTaken ? 'success' : 'fail' }),
  }
}

/** The address of a page of the gateway, relative to the configured path. */
export function addressOf(address: string, page: string): string {
  const url = new URL(address)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${page}`
  return url.href
}

/** Reads a notice from the query of a GET or the form of a POST.
 *  @throws pay_epay.signature */
function readNotice({ query, body }: NoticeRequest, key: string): PaymentNotice {
  const fields =
    body.length > 0 ? Object.fromEntries(new URLSearchParams(body.toString('utf8'))) : { ...query }
  if (!isSigned(fields, key)) throw forged()
  if (fields['trade_status'] !== 'TRADE_SUCCESS') return { kind: 'ignored' }
  return {
    kind: 'paid',
    trade_no: fields['out_trade_no'] ?? '',
    money: fields['money'] ?? '',
    currency: 'CNY',
    merchant: fields['pid'] ?? '',
    reference: (fields['trade_no'] ?? '').slice(0, 128),
  }
}
