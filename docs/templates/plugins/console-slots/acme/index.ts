import { definePlugin, envelope, Type } from 'tollgate/contract'

const remark = Type.Object({
  user_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  text: Type.String({ maxLength: 200 }),
})

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Remarks of admins about users', zh: '管理员对用户的备注' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['routes', 'database'], routes: ['/api/acme'] },
  consoleModule: './console/index.js',
  migrations: [
    {
      id: 'acme-0001-remarks',
      up: async ({ run, prefix }) => {
        await run(`CREATE TABLE ${prefix}remarks (user_id BIGINT PRIMARY KEY, text TEXT NOT NULL)`)
      },
    },
  ],
  server({ routes, database }) {
    routes.add((app) => {
      // All of them in one call: a column must not ask once for each row.
      app.get('/api/acme', { config: { access: 'admin' } }, async () => {
        const rows = await database.select<{ user_id: number; text: string }>(
          'SELECT user_id, text FROM acme__remarks',
        )
        return envelope(Object.fromEntries(rows.map(({ user_id, text }) => [user_id, text])))
      })
      app.put(
        '/api/acme',
        { config: { access: 'admin' }, schema: { body: remark } },
        async ({ body }) => {
          await database.run(
            `INSERT INTO acme__remarks (user_id, text) VALUES (:user_id, :text)
             ON CONFLICT (user_id) DO UPDATE SET text = excluded.text`,
            body,
          )
          return envelope()
        },
      )
    })
  },
})
