import { definePlugin } from '#core'
import { chatOptions } from './options.ts'

export default definePlugin({
  id: 'chats',
  summary: { en: 'Links to chat clients', zh: '聊天客户端链接' },
  options: chatOptions,
  server({ options, statusFields }) {
    statusFields.add({ id: 'chats', value: () => options.get('Chats') })
    statusFields.add({ id: 'chat_link', value: () => options.get('ChatLink') })
    statusFields.add({ id: 'chat_link2', value: () => options.get('ChatLink2') })
  },
})
