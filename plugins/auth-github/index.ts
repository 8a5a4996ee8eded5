import { defineOptions, definePlugin, Type } from '#core'
import { githubProvider } from './github.ts'

const section = { tab: 'system', section: 'github' }

export default definePlugin({
  id: 'auth-github',
  summary: { en: 'Sign-in with GitHub', zh: 'GitHub 登录' },
  options: defineOptions(
    {
      GitHubOAuthEnabled: Type.Boolean({ default: false, 'x-ui': section }),
      GitHubClientId: Type.String({ default: '', maxLength: 200, 'x-ui': section }),
      GitHubClientSecret: Type.String({
        default: '',
        maxLength: 200,
        'x-ui': { ...section, secret: true },
      }),
    },
    { preconditions: [{ key: 'GitHubOAuthEnabled', needs: ['GitHubClientId'] }] },
  ),
  server(services) {
    const { authProviders, options, statusFields } = services
    statusFields.add({
      id: 'github_oauth',
      value: () => options.get<boolean>('GitHubOAuthEnabled'),
    })
    statusFields.add({
      id: 'github_client_id',
      value: () => options.get<string>('GitHubClientId'),
    })
    authProviders.add(githubProvider(services))
  },
})
