import {
  callerOf,
  defineOptions,
  definePlugin,
  envelope,
  type OptionReader,
  Type,
} from 'tollgate/contract'

const place = { tab: 'other', section: 'acme' }

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Options of every kind', zh: '各种类型的选项' },
  // What whoever switches it on is told, and what it is held to.
  asks: {
    services: ['routes', 'options', 'optionActions', 'statusFields'],
    routes: ['/api/acme'],
  },
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
  server({ routes, options, optionActions, statusFields }) {
    routes.add((app) => {
      app.get('/api/acme', { config: { access: 'user' } }, (request) =>
        envelope(
          options.get<boolean>('AcmeEnabled') ? greeting(options, callerOf(request).username) : '',
        ),
      )
    })
    // A button of the settings page that tries what is typed there, saved or not.
    optionActions.add({
      id: 'acme-try',
      label: { en: 'Try the greeting', zh: '试用问候语' },
      options: ['AcmeText', 'AcmeTone'],
      input: { label: { en: 'Name', zh: '名称' } },
      run: (values, { input }) => {
        if (input === '')
          return { ok: false, message: { en: 'Enter a name first.', zh: '请先填写名称。' } }
        const text = greeting(values, input)
        return { ok: true, message: { en: text, zh: text } }
      },
    })
    // A field of /api/status, which anybody may read.
    statusFields.add({ id: 'acme_enabled', value: () => options.get<boolean>('AcmeEnabled') })
  },
})

function greeting(values: OptionReader, name: string): string {
  const text = values.get<string>('AcmeText').replaceAll('%', name)
  return values.get('AcmeTone') === 'friendly' ? `${text}!` : text
}
