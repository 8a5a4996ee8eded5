import { definePlugin } from '#core'

/** Shows a status monitor in a frame, and links to a page where keys can be looked up. */
export default definePlugin({
  id: 'monitor',
  summary: { en: 'Status monitor and token query', zh: '接口监控与令牌查询' },
})
