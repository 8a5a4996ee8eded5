import { definePlugin } from 'tollgate/contract'
import { cardRoutes } from './routes.ts'

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'A list of cards', zh: '卡片列表' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['routes', 'database'], routes: ['/api/acme'] },
  // Built from console/index.tsx by `npm run build`.
  consoleModule: './dist/console.js',
  migrations: [
    {
      id: 'acme-0001-cards',
      up: async ({ run, prefix }) => {
        await run(
          `CREATE TABLE ${prefix}cards (id TEXT PRIMARY KEY, name TEXT NOT NULL, colour TEXT NOT NULL, stars INTEGER NOT NULL, created_at BIGINT NOT NULL)`,
        )
        await run(`CREATE INDEX ${prefix}cards_by_time ON ${prefix}cards (created_at, id)`)
      },
    },
  ],
  server({ routes, database }) {
    routes.add((app) => cardRoutes(app, database))
  },
})
