import { definePlugin } from '#core'

/** The chat screen; its route, `/pg/chat/completions`, is one of the relay's. */
export default definePlugin({
  id: 'playground',
  summary: { en: 'Chat playground', zh: '聊天操练场' },
})
