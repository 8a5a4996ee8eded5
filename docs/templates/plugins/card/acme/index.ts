import { definePlugin, envelope } from 'tollgate/contract'

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'A card of the overview', zh: '概览页卡片' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['routes', 'database'], routes: ['/api/acme'] },
  consoleModule: './console/index.js',
  server({ routes, database }) {
    routes.add((app) => {
      app.get('/api/acme', { config: { access: 'admin' } }, async () => {
        const [row] = await database.select<{ people: number }>(
          'SELECT CAST(COUNT(*) AS INTEGER) AS people FROM users',
        )
        return envelope({ people: row?.people ?? 0 })
      })
    })
  },
})
