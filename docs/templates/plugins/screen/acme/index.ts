import { callerOf, definePlugin, envelope, Type } from 'tollgate/contract'

const noteBody = Type.Object({ text: Type.String({ minLength: 1, maxLength: 500 }) })

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'A board of notes', zh: '便签板' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['routes', 'database'], routes: ['/api/acme'] },
  // Built from console/index.tsx by `npm run build`.
  consoleModule: './dist/console.js',
  migrations: [
    {
      id: 'acme-0001-notes',
      up: async ({ run, prefix }) => {
        await run(
          `CREATE TABLE ${prefix}notes (id TEXT PRIMARY KEY, user_id INTEGER NOT NULL, text TEXT NOT NULL, created_at INTEGER NOT NULL)`,
        )
        await run(`CREATE INDEX ${prefix}notes_of_user ON ${prefix}notes (user_id, created_at)`)
      },
    },
  ],
  server({ routes, database }) {
    routes.add((app) => {
      app.get('/api/acme', { config: { access: 'user' } }, async (request) =>
        envelope(
          await database.select(
            'SELECT id, text, created_at FROM acme__notes WHERE user_id = :user ORDER BY created_at DESC, id LIMIT 100',
            { user: callerOf(request).id },
          ),
        ),
      )
      app.post(
        '/api/acme',
        { config: { access: 'user' }, schema: { body: noteBody } },
        async (request) => {
          await database.run(
            'INSERT INTO acme__notes (id, user_id, text, created_at) VALUES (:id, :user, :text, :now)',
            {
              id: crypto.randomUUID(),
              user: callerOf(request).id,
              text: request.body.text,
              now: Math.floor(Date.now() / 1000),
            },
          )
          return envelope()
        },
      )
      app.delete<{ Params: { id: string } }>(
        '/api/acme/:id',
        { config: { access: 'user' } },
        async (request) => {
          // The owner stands in the condition: nobody deletes the notes of others.
          const deleted = await database.run(
            'DELETE FROM acme__notes WHERE id = :id AND user_id = :user',
            { id: request.params.id, user: callerOf(request).id },
          )
          return envelope({ deleted })
        },
      )
    })
  },
})
