import { defineOptions, definePlugin, Type } from '#core'
import { watchSignIns } from './watch-sign-ins.ts'

export default definePlugin({
  id: 'sign-in-alerts',
  summary: { en: 'Tells users of sign-ins on new devices', zh: '新设备登录时提醒用户' },
  options: defineOptions({
    NewDeviceNoticeEnabled: Type.Boolean({
      default: true,
      'x-ui': { tab: 'system', section: 'sign-in', order: 50 },
    }),
  }),
  server: (services) => watchSignIns(services),
})
