import { definePlugin } from '#core'
import { docsRoutes } from './routes.ts'

/** The calls of this gateway as an OpenAPI document, and a page to read it. */
export default definePlugin({
  id: 'api-docs',
  summary: { en: 'API documentation (OpenAPI) at /docs', zh: 'API 文档（OpenAPI），位于 /docs' },
  server(services) {
    services.routes.add((app) => docsRoutes(app, services))
    // Screens show a link to the page while this plugin is on.
    services.statusFields.add({ id: 'api_docs_path', value: () => '/docs' })
  },
})
