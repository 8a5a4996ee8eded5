import { callerOf, defineOptions, definePlugin, envelope, Type } from 'tollgate/contract'

const place = { tab: 'other', section: 'acme' }

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Options of every kind', zh: '各种类型的选项' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['routes', 'options'], routes: ['/api/acme'] },
  consoleModule: './console/index.js',
  // The settings page draws all of it from the schema; the words stand in console/index.js.
  options: defineOptions(
    {
      AcmeEnabled: Type.Boolean({ default: false, 'x-ui': { ...place, order: 10 } }),
      AcmeTone: Type.Union([Type.Literal('plain'), Type.Literal('friendly')], {
        default: 'plain',
        'x-ui': { ...place, order: 20, showIf: { AcmeEnabled: true } },
      }),
      AcmeText: Type.String({
        default: 'Hello, %',
        maxLength: 200,
        'x-ui': { ...place, order: 30, showIf: { AcmeEnabled: true } },
      }),
    },
    {
      // What no schema can say of a value.
      check: (key, value) =>
        key === 'AcmeText' && !String(value).includes('%')
          ? { en: 'The text needs a % for the name.', zh: '文本须包含代表名称的 %。' }
          : undefined,
    },
  ),
  server({ routes, options }) {
    routes.add((app) => {
      app.get('/api/acme', { config: { access: 'user' } }, (request) => {
        if (!options.get<boolean>('AcmeEnabled')) return envelope('')
        const text = options.get<string>('AcmeText').replaceAll('%', callerOf(request).username)
        return envelope(options.get('AcmeTone') === 'friendly' ? `${text}!` : text)
      })
    })
  },
})
