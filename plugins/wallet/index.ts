import { defineOptions, definePlugin, type Text, Type } from '#core'

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
    { check: (_key, value) => checkLink(String(value)) },
  ),
  server({ options, statusFields }) {
    statusFields.add({ id: 'top_up_link', value: () => options.get('TopUpLink') })
  },
})

/** The wallet shows it as a link, in which a `javascript:` address would run as the console's own script. */
function checkLink(value: string): Text | undefined {
  if (value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value))) return undefined
  return {
    en: 'TopUpLink must be an address that begins with https:// or http://',
    zh: '充值链接必须以 http:// 或 https:// 开头',
  }
}
