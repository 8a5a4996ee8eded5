import { defineOptions, definePlugin, Type, webAddressFault } from '#core'
import { checkAction } from './check-action.ts'
import { epay } from './epay.ts'

const place = (order: number) => ({ tab: 'system', section: 'epay', order })
const needs = ['ServerAddress']

/** Payment through a gateway of the epay family: Alipay and WeChat Pay. */
export default definePlugin({
  id: 'pay-epay',
  summary: { en: 'Payment by Alipay and WeChat through epay', zh: '易支付：支付宝与微信支付' },
  options: defineOptions(
    {
      PayAddress: Type.String({
        default: '',
        maxLength: 2048,
        'x-ui': { ...place(10), url: true, needs },
      }),
      EpayId: Type.String({ default: '', maxLength: 128, 'x-ui': { ...place(11), needs } }),
      EpayKey: Type.String({
        default: '',
        maxLength: 512,
        'x-ui': { ...place(12), secret: true, boundTo: ['PayAddress'], needs },
      }),
    },
    {
      check: (key, value) =>
        key === 'PayAddress' ? webAddressFault(key, String(value)) : undefined,
    },
  ),
  server({ fetch, optionActions, paymentProviders, options }) {
    paymentProviders.add(epay(options))
    optionActions.add(checkAction({ fetch }))
  },
})
