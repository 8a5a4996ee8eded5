// Signing in with a passkey alone, and the list of a user's passkeys. Verification is part of core, because a second
// factor must not disappear with a plugin.
import { defineOptions, definePlugin, Type } from '#core'

export default definePlugin({
  id: 'passkey-sign-in',
  summary: { en: 'Sign-in with passkeys', zh: '通行密钥登录' },
  options: defineOptions({
    'passkey.enabled': Type.Boolean({
      default: true,
      'x-ui': { tab: 'system', section: 'sign-in', order: 35 },
    }),
  }),
  server({ options, statusFields }) {
    statusFields.add({
      id: 'passkey_login',
      value: () => options.get<boolean>('passkey.enabled'),
    })
  },
})
