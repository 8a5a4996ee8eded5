import { defineOptions, definePlugin, Type, webAddressFault } from '#core'

/** The user's money: balance, redeeming, paying, orders. The work is done by core's orders and by the plugin of
 *  codes. */
export default definePlugin({
  id: 'wallet',
  summary: { en: 'Wallet and top-up orders', zh: '钱包与充值订单' },
  options: defineOptions(
    {
      TopUpLink: Type.String({
        default: '',
        maxLength: 2048,
        'x-ui': { tab: 'operation', section: 'general', order: 10 },
      }),
    },
    { check: (key, value) => webAddressFault(key, String(value)) },
  ),
  server({ options, statusFields }) {
    statusFields.add({ id: 'top_up_link', value: () => options.get('TopUpLink') })
  },
})
