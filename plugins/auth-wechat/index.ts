import { defineOptions, definePlugin, Type, webAddressFault } from '#core'
import { wechatProvider } from './wechat.ts'

const section = { tab: 'system', section: 'wechat' }

export default definePlugin({
  id: 'auth-wechat',
  summary: { en: 'Sign-in with WeChat by way of a WeChat server', zh: '微信公众号登录' },
  options: defineOptions(
    {
      WeChatAuthEnabled: Type.Boolean({ default: false, 'x-ui': section }),
      WeChatServerAddress: Type.String({
        default: '',
        maxLength: 2048,
        'x-ui': { ...section, url: true },
      }),
      WeChatServerToken: Type.String({
        default: '',
        maxLength: 512,
        'x-ui': { ...section, secret: true, boundTo: ['WeChatServerAddress'] },
      }),
      WeChatAccountQRCodeImageURL: Type.String({ default: '', maxLength: 2048, 'x-ui': section }),
    },
    {
      preconditions: [{ key: 'WeChatAuthEnabled', needs: ['WeChatServerAddress'] }],
      check: (key, value) =>
        key === 'WeChatServerAddress' ? webAddressFault(key, String(value)) : undefined,
    },
  ),
  server(services) {
    const { authProviders, options, statusFields } = services
    statusFields.add({ id: 'wechat_login', value: () => options.get<boolean>('WeChatAuthEnabled') })
    statusFields.add({
      id: 'wechat_qrcode',
      value: () => options.get<string>('WeChatAccountQRCodeImageURL'),
    })
    authProviders.add(wechatProvider(services))
  },
})
