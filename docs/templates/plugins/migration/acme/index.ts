import { callerOf, definePlugin, envelope, type Migration, Type } from 'tollgate/contract'

// In this order, each once. A step that was published is never changed: add another.
export const migrations: readonly Migration[] = [
  {
    id: 'acme-0001-marks',
    up: async ({ run, prefix }) => {
      await run(
        `CREATE TABLE ${prefix}marks (user_id INTEGER NOT NULL, model TEXT NOT NULL, PRIMARY KEY (user_id, model))`,
      )
    },
  },
  {
    id: 'acme-0002-stars',
    up: async ({ run, prefix }) => {
      // A column of a table with rows has a default.
      await run(`ALTER TABLE ${prefix}marks ADD COLUMN stars INTEGER NOT NULL DEFAULT 1`)
    },
  },
]

const markBody = Type.Object({
  model: Type.String({ minLength: 1, maxLength: 200 }),
  stars: Type.Integer({ minimum: 1, maximum: 5 }),
})

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Stars for models', zh: '模型评分' },
  // What whoever switches it on is told, and what it is held to: it writes its own tables only.
  asks: { services: ['routes', 'database'], routes: ['/api/acme'] },
  migrations,
  server({ routes, database }) {
    routes.add((app) => {
      app.get('/api/acme', { config: { access: 'user' } }, async (request) =>
        envelope(
          await database.select(
            'SELECT model, stars FROM acme__marks WHERE user_id = :user ORDER BY model LIMIT 1000',
            { user: callerOf(request).id },
          ),
        ),
      )
      app.put(
        '/api/acme',
        { config: { access: 'user' }, schema: { body: markBody } },
        async (request) => {
          const { model, stars } = request.body
          // Values are bound and never become text of the statement. Both databases know ON CONFLICT.
          await database.run(
            'INSERT INTO acme__marks (user_id, model, stars) VALUES (:user, :model, :stars) ON CONFLICT (user_id, model) DO UPDATE SET stars = excluded.stars',
            { user: callerOf(request).id, model, stars },
          )
          return envelope()
        },
      )
    })
  },
})
