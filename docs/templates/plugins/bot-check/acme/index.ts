import { defineOptions, definePlugin, errorType, isObject, Type } from 'tollgate/contract'

const place = { tab: 'system', section: 'acme' }
const notHuman = errorType('acme.not_human', 403, {
  en: 'The check whether you are a person failed. Load the page again.',
  zh: '人机验证未通过，请刷新页面后重试。',
})

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Tells people from programs by Acme', zh: '使用 Acme 区分真人与程序' },
  // What whoever switches it on is told, and what it is held to. Hosts are not named: the address is an option.
  asks: { services: ['botChecks', 'statusFields', 'options', 'fetch'] },
  consoleModule: './console/index.js',
  options: defineOptions(
    {
      AcmeEnabled: Type.Boolean({ default: false, 'x-ui': place }),
      AcmeAddress: Type.String({ default: '', maxLength: 500, 'x-ui': { ...place, url: true } }),
      AcmeSecret: Type.String({
        default: '',
        maxLength: 200,
        'x-ui': { ...place, secret: true, boundTo: ['AcmeAddress'] },
      }),
    },
    { preconditions: [{ key: 'AcmeEnabled', needs: ['AcmeAddress', 'AcmeSecret'] }] },
  ),
  server({ botChecks, statusFields, options, fetch }) {
    const isEnabled = () => options.get<boolean>('AcmeEnabled')
    // The console draws the widget while it is on.
    statusFields.add({ id: 'acme_check', value: isEnabled })
    botChecks.add({
      id: 'acme',
      isEnabled,
      async check(token, address) {
        if (token === '') throw notHuman()
        const { status, body } = await fetch({
          method: 'POST',
          url: `${options.get<string>('AcmeAddress')}/verify`,
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${options.get<string>('AcmeSecret')}`,
          },
          body: JSON.stringify({ token, address }),
        })
        if (status !== 200 || !isObject(body) || body['human'] !== true) throw notHuman()
      },
    })
  },
})
