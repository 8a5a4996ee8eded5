import { defineOptions, definePlugin, Type } from 'tollgate/contract'
import { provider } from './provider.ts'

const place = { tab: 'system', section: 'acme' }

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Sign-in with Acme', zh: '使用 Acme 登录' },
  // What whoever switches it on is told, and what it is held to. Hosts are not named: the address is an option.
  asks: { services: ['authProviders', 'options', 'fetch'] },
  consoleModule: './console/index.js',
  options: defineOptions(
    {
      AcmeEnabled: Type.Boolean({ default: false, 'x-ui': place }),
      AcmeAddress: Type.String({ default: '', maxLength: 500, 'x-ui': { ...place, url: true } }),
      AcmeClientId: Type.String({ default: '', maxLength: 200, 'x-ui': place }),
      // While it is set, the address changes only together with it: nobody has it sent to a host of his own.
      AcmeClientSecret: Type.String({
        default: '',
        maxLength: 200,
        'x-ui': { ...place, secret: true, boundTo: ['AcmeAddress'] },
      }),
    },
    { preconditions: [{ key: 'AcmeEnabled', needs: ['AcmeAddress', 'AcmeClientId'] }] },
  ),
  server({ authProviders, options, fetch }) {
    authProviders.add(provider({ options, fetch }))
  },
})
