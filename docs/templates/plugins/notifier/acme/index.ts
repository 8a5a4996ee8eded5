import { defineOptions, definePlugin, Type } from 'tollgate/contract'
import { notifier, post } from './notifier.ts'

const place = { tab: 'operation', section: 'acme' }

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Notices by Acme', zh: '通过 Acme 发送通知' },
  // What whoever switches it on is told, and what it is held to. Hosts are not named: the address is an option.
  asks: { services: ['notifiers', 'optionActions', 'options', 'fetch'] },
  consoleModule: './console/index.js',
  options: defineOptions({
    AcmeAddress: Type.String({ default: '', maxLength: 500, 'x-ui': { ...place, url: true } }),
    AcmeSecret: Type.String({
      default: '',
      maxLength: 200,
      'x-ui': { ...place, secret: true, boundTo: ['AcmeAddress'] },
    }),
  }),
  server({ notifiers, optionActions, options, fetch }) {
    notifiers.add(notifier({ options, fetch }))
    // A button below the options that tries what is typed there, saved or not.
    optionActions.add({
      id: 'acme-test',
      label: { en: 'Send a test message', zh: '发送测试消息' },
      options: ['AcmeAddress', 'AcmeSecret'],
      async run(values, { userId }) {
        const way = {
          address: values.get<string>('AcmeAddress'),
          secret: values.get<string>('AcmeSecret'),
        }
        const status = await post(fetch, way, { user: userId, text: 'Hello' })
        return status === 200
          ? { ok: true, message: { en: 'Acme took it.', zh: '发送成功。' } }
          : { ok: false, message: { en: `Acme answered ${status}.`, zh: `Acme 返回 ${status}。` } }
      },
    })
  },
})
