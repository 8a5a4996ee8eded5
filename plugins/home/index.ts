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
    const pages = {
      '/api/notice': 'Notice',
      '/api/about': 'About',
      '/api/home_page_content': 'HomePageContent',
    }
    routes.add((app) => {
      for (const [path, key] of Object.entries(pages)) {
        app.get(path, { config: { access: 'public' } }, () => envelope(options.get<string>(key)))
      }
    })
  },
})
