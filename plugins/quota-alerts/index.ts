import { defineOptions, definePlugin, Type } from '#core'
import { watchBalances } from './watch-balances.ts'

export default definePlugin({
  id: 'quota-alerts',
  summary: { en: 'Warns users whose quota runs low', zh: '额度不足时提醒用户' },
  options: defineOptions({
    QuotaRemindThreshold: Type.Integer({
      default: 1000,
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      'x-ui': {
        tab: 'operation',
        section: 'monitoring',
        order: 15,
        widget: 'quota',
        presets: [100_000, 500_000, 1_000_000, 5_000_000],
      },
    }),
  }),
  server: (services) => watchBalances(services),
})
