import { defineOptions, definePlugin, Type } from 'tollgate/contract'
import { provider } from './provider.ts'

const place = { tab: 'operation', section: 'acme' }

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Payments through Acme', zh: '通过 Acme 收款' },
  consoleModule: './console/index.js',
  options: defineOptions({
    AcmeAddress: Type.String({ default: '', maxLength: 500, 'x-ui': { ...place, url: true } }),
    AcmeShop: Type.String({ default: '', maxLength: 100, 'x-ui': place }),
    AcmeSecret: Type.String({
      default: '',
      maxLength: 200,
      'x-ui': { ...place, secret: true, boundTo: ['AcmeAddress'] },
    }),
  }),
  server({ paymentProviders, options, fetch }) {
    paymentProviders.add(provider({ options, fetch }))
  },
})
