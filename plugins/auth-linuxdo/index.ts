import { defineOptions, definePlugin, Type } from '#core'
import { linuxdoProvider } from './linuxdo.ts'

const section = { tab: 'system', section: 'linuxdo' }

export default definePlugin({
  id: 'auth-linuxdo',
  summary: { en: 'Sign-in with Linux DO', zh: 'Linux DO 登录' },
  options: defineOptions(
    {
      LinuxDOOAuthEnabled: Type.Boolean({ default: false, 'x-ui': section }),
      LinuxDOClientId: Type.String({ default: '', maxLength: 200, 'x-ui': section }),
      LinuxDOClientSecret: Type.String({
        default: '',
        maxLength: 200,
        'x-ui': { ...section, secret: true },
      }),
      LinuxDOMinimumTrustLevel: Type.Integer({
        default: 0,
        minimum: 0,
        maximum: 4,
        'x-ui': section,
      }),
    },
    { preconditions: [{ key: 'LinuxDOOAuthEnabled', needs: ['LinuxDOClientId'] }] },
  ),
  server(services) {
    const { authProviders, options, statusFields } = services
    statusFields.add({
      id: 'linuxdo_oauth',
      value: () => options.get<boolean>('LinuxDOOAuthEnabled'),
    })
    statusFields.add({
      id: 'linuxdo_client_id',
      value: () => options.get<string>('LinuxDOClientId'),
    })
    statusFields.add({
      id: 'linuxdo_minimum_trust_level',
      value: () => options.get<number>('LinuxDOMinimumTrustLevel'),
    })
    authProviders.add(linuxdoProvider(services))
  },
})
