import { defineOptions, definePlugin, envelope, errorType, Type } from 'tollgate/contract'
import { notifier } from './notifier.ts'

const place = { tab: 'operation', section: 'acme' }
const notSent = errorType<{ reason: string }>('acme.not_sent', 502, {
  en: 'The message was not sent: {reason}',
  zh: '消息未能发送：{reason}',
})

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Notices by Acme', zh: '通过 Acme 发送通知' },
  // What whoever switches it on is told, and what it is held to. Hosts are not named: the address is an option.
  asks: { services: ['notifiers', 'routes', 'options', 'fetch'], routes: ['/api/acme'] },
  consoleModule: './console/index.js',
  options: defineOptions({
    AcmeAddress: Type.String({ default: '', maxLength: 500, 'x-ui': { ...place, url: true } }),
    AcmeSecret: Type.String({
      default: '',
      maxLength: 200,
      'x-ui': { ...place, secret: true, boundTo: ['AcmeAddress'] },
    }),
  }),
  server({ notifiers, routes, options, fetch }) {
    const messages = notifier({ options, fetch })
    notifiers.add(messages)
    // Tries the settings out.
    routes.add((app) => {
      app.post('/api/acme/test', { config: { access: 'admin' } }, async (request) => {
        const message = { kind: 'test', title: 'Tollgate', content: 'Hello', values: [] }
        const to = { userId: request.caller?.id ?? 0 }
        try {
          await messages.send({ ...message, to, language: request.language })
        } catch (error) {
          throw notSent({ reason: error instanceof Error ? error.message : String(error) })
        }
        return envelope()
      })
    })
  },
})
