import { definePlugin } from '#core'

/** The screen of core's own routes under `/api/plugin`. */
export default definePlugin({
  id: 'plugins',
  summary: { en: 'Plugins: on, off and their settings', zh: '插件的启用、停用与设置' },
})
