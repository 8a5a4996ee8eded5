import { defineOptions, definePlugin, Type } from 'tollgate/contract'
import { provider } from './provider.ts'

const place = { tab: 'operation', section: 'acme' }

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Payments through Acme', zh: '通过 Acme 收款' },
  // What whoever switches it on is told, and what it is held to. Hosts are not named: the address is an option.
  asks: { services: ['paymentProviders', 'options', 'fetch'] },
  consoleModule: './console/index.js',
  options: defineOptions({
    AcmeAddress: Type.String({ default: '', maxLength: 500, 'x-ui': { ...place, url: true } }),
    AcmeShop: Type.String({ default: '', maxLength: 100, 'x-ui': place }),
    AcmeSecret: Type.String({
      default: '',
      maxLength: 200,
      'x-ui': { ...place, secret: true, boundTo: ['AcmeAddress'] },
    }),
    AcmeUnitPrice: Type.Number({ default: 1, minimum: 0.01, maximum: 1_000_000, 'x-ui': place }),
  }),
  server({ paymentProviders, options, fetch }) {
    paymentProviders.add(provider({ options, fetch }))
  },
})
