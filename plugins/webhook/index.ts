import { definePlugin } from '#core'
import { sendWebhook } from './send-webhook.ts'

export default definePlugin({
  id: 'webhook',
  summary: { en: 'Notices to an address of the user', zh: '通过 Webhook 发送通知' },
  server(services) {
    services.notifiers.add({
      id: 'webhook',
      name: { en: 'Webhook', zh: 'Webhook' },
      send: (message) => sendWebhook(services, message),
    })
  },
})
