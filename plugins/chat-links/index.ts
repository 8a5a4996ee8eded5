import { definePlugin } from '#core'
import { chatOptions } from './options.ts'

/** Chat clients of other sites, opened with one of the user's tokens. */
export default definePlugin({
  id: 'chat-links',
  summary: { en: 'Links to chat clients of other sites', zh: '第三方聊天客户端链接' },
  options: chatOptions,
  server({ options, statusFields }) {
    statusFields.add({ id: 'chats', value: () => options.get('Chats') })
    statusFields.add({ id: 'chat_link', value: () => options.get('ChatLink') })
    statusFields.add({ id: 'chat_link2', value: () => options.get('ChatLink2') })
  },
})
