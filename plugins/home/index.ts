import { defineOptions, definePlugin, envelope, Type } from '#core'

const page = { 'x-ui': { widget: 'rich-text', tab: 'other', section: 'pages' } }

/** The public pages that an operator writes. Each is one option, and is sanitised where it is shown. */
export default definePlugin({
  id: 'home',
  summary: { en: 'Start page, notice and about page', zh: '首页、公告与关于页面' },
  options: defineOptions({
    Notice: Type.String({ default: '', 'x-ui': { ...page['x-ui'], section: 'notice' } }),
    HomePageContent: Type.String({ default: '', ...page }),
    About: Type.String({ default: '', ...page }),
  }),
  server({ routes, options }) {
    const pages: Record<string, [key: string, name: string]> = {
      '/api/notice': ['Notice', 'the notice'],
      '/api/about': ['About', 'the about page'],
      '/api/home_page_content': ['HomePageContent', 'the start page'],
    }
    routes.add((app) => {
      for (const [path, [key, name]] of Object.entries(pages)) {
        const schema = {
          summary: `Show ${name} as the operator wrote it`,
        }
        app.get(path, { config: { access: 'public' }, schema }, () =>
          envelope(options.get<string>(key)),
        )
      }
    })
  },
})
