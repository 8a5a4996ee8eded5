// A whole plugin outside the repository: one option, one route, one screen. Start the gateway with PLUGIN_DIRS=docs/examples to see it.
import { callerOf, defineOptions, definePlugin, envelope, Type } from 'tollgate'

export default definePlugin({
  id: 'greeting',
  version: '1.0.0',
  contract: '^1.0',
  summary: { en: 'Greets whoever is signed in', zh: '向登录用户问好' },
  options: defineOptions({
    GreetingText: Type.String({
      default: 'Hello, {name}',
      maxLength: 200,
      'x-ui': { tab: 'other', section: 'greeting' },
    }),
  }),
  asks: { services: ['routes', 'options'], routes: ['/api/greeting'] },
  consoleModule: './console/index.js',
  server({ routes, options }) {
    routes.add((app) => {
      app.get('/api/greeting', { config: { access: 'user' } }, (request) => {
        const { username } = callerOf(request)
        return envelope(options.get<string>('GreetingText').replaceAll('{name}', username))
      })
    })
  },
})
