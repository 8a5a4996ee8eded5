import { definePlugin } from '#core'

/** The page of a status monitor in a frame, and the link to a page where keys can be looked up. */
export default definePlugin({
  id: 'monitor',
  summary: { en: 'Status monitor and token query', zh: '接口监控与令牌查询' },
})
