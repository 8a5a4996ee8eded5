import { definePlugin, envelope } from 'tollgate/contract'
import { countPeople } from './count-people.ts'

/** A day; a test sets a shorter one. */
const DEFAULT_SECONDS = 86_400

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Counts accounts once a day', zh: '每天统计账号数量' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['jobs', 'routes', 'database', 'environment'], routes: ['/api/acme'] },
  migrations: [
    {
      id: 'acme-0001-counts',
      up: async ({ run, prefix }) => {
        await run(
          `CREATE TABLE ${prefix}counts (counted_at INTEGER PRIMARY KEY, people INTEGER NOT NULL)`,
        )
      },
    },
  ],
  server({ jobs, routes, database, environment }) {
    jobs.add({
      id: 'acme',
      everyMs: Number(environment.read('ACME_SECONDS') ?? DEFAULT_SECONDS) * 1000,
      // On one node of many.
      isLeaderOnly: true,
      run: (signal) => countPeople(database, signal),
    })
    routes.add((app) => {
      app.get('/api/acme', { config: { access: 'admin' } }, async () =>
        envelope(
          await database.select(
            'SELECT counted_at, people FROM acme__counts ORDER BY counted_at DESC LIMIT 30',
          ),
        ),
      )
    })
  },
})
