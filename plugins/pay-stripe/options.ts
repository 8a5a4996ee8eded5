import { defineOptions, Type } from '#core'
import { decimalsOf } from './currency.ts'

const place = (order: number) => ({
  tab: 'system',
  section: 'stripe',
  order,
  needs: ['ServerAddress'],
})
const secret = (order: number) =>
  Type.String({ default: '', maxLength: 512, 'x-ui': { ...place(order), secret: true } })

export const stripeOptions = defineOptions(
  {
    StripeApiSecret: secret(10),
    StripeWebhookSecret: secret(11),
    StripeCurrency: Type.String({ default: 'USD', maxLength: 3, 'x-ui': place(12) }),
    StripeUnitPrice: Type.Number({
      default: 1,
      minimum: 0,
      maximum: 1_000_000,
      'x-ui': place(13),
    }),
    StripeMinTopUp: Type.Integer({
      default: 1,
      minimum: 0,
      maximum: 1_000_000_000,
      'x-ui': place(14),
    }),
  },
  {
    check: (key, value) =>
      key !== 'StripeCurrency' || decimalsOf(String(value)) !== undefined
        ? undefined
        : {
            en: 'StripeCurrency must be the three letters of a currency with two or no decimals, such as USD',
            zh: 'StripeCurrency 应为三个字母的货币代码（两位小数或无小数），例如 USD',
          },
  },
)
