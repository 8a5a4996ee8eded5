import { defineOptions, definePlugin, Type } from '#core'
import { checkEmailOption, emailOptions } from './email-options.ts'
import { authPasswordRoutes } from './routes.ts'

const signIn = (more: object) => ({ 'x-ui': { tab: 'system', section: 'sign-in', ...more } })

export default definePlugin({
  id: 'auth-password',
  summary: { en: 'Sign-in and registration by password', zh: '密码登录与注册' },
  isEssential: true,
  options: defineOptions(
    {
      ...emailOptions,
      PasswordLoginEnabled: Type.Boolean({
        default: true,
        ...signIn({ order: 10, confirmOff: true }),
      }),
      PasswordRegisterEnabled: Type.Boolean({ default: true, ...signIn({ order: 20 }) }),
    },
    {
      preconditions: [{ key: 'EmailDomainRestrictionEnabled', needs: ['EmailDomainWhitelist'] }],
      check: checkEmailOption,
    },
  ),
  server(services) {
    const { options, routes, statusFields } = services
    statusFields.add({
      id: 'password_login_enabled',
      value: () => options.get<boolean>('PasswordLoginEnabled'),
    })
    statusFields.add({
      id: 'password_register_enabled',
      value: () => options.get<boolean>('PasswordRegisterEnabled'),
    })
    routes.add((app) => authPasswordRoutes(app, services))
  },
})
