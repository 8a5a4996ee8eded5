// Tilla, a payment service that nobody has: a checkout page, signed notices, refunds and disputes (README.md has its API).
import { defineOptions, definePlugin, Type } from 'tollgate/contract'
import { provider } from './provider.ts'

const place = { tab: 'operation', section: 'tilla' }

export default definePlugin({
  id: 'tilla',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Payments through Tilla', zh: '通过 Tilla 收款' },
  // The address is an option, so that no host can be named here.
  asks: { services: ['paymentProviders', 'options', 'fetch', 'log'] },
  consoleModule: './console/index.js',
  options: defineOptions(
    {
      TillaAddress: Type.String({
        default: 'https://api.tilla.example',
        maxLength: 500,
        'x-ui': { ...place, order: 10, url: true },
      }),
      TillaShop: Type.String({ default: '', maxLength: 100, 'x-ui': { ...place, order: 20 } }),
      TillaKey: Type.String({
        default: '',
        maxLength: 200,
        'x-ui': { ...place, order: 30, secret: true, boundTo: ['TillaAddress'] },
      }),
      TillaNoticeSecret: Type.String({
        default: '',
        maxLength: 200,
        'x-ui': { ...place, order: 40, secret: true },
      }),
      TillaCurrency: Type.Union([Type.Literal('EUR'), Type.Literal('USD'), Type.Literal('JPY')], {
        default: 'EUR',
        'x-ui': { ...place, order: 50 },
      }),
      TillaUnitPrice: Type.Number({
        default: 1,
        minimum: 0.000001,
        maximum: 1_000_000,
        'x-ui': { ...place, order: 60 },
      }),
    },
    {
      check: (key, value) =>
        key === 'TillaAddress' && !/^https?:\/\/[^/\s]+/.test(String(value))
          ? { en: 'An address begins with https://.', zh: '地址须以 https:// 开头。' }
          : undefined,
    },
  ),
  server({ paymentProviders, options, fetch, log }) {
    paymentProviders.add(provider({ options, fetch, log }))
  },
})
