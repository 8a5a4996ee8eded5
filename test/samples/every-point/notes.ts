// A note about a user, kept by the sample: what its column, its action and its section in the console show and save.
import { envelope, Type, type Migration, type PluginServices } from 'tollgate'

export const notesMigration: Migration = {
  id: 'every-point-0002-notes',
  up: async ({ run, prefix }) => {
    await run(`CREATE TABLE ${prefix}notes (user_id BIGINT PRIMARY KEY, note TEXT NOT NULL)`)
  },
}

const noteBody = Type.Object({
  user_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  note: Type.String({ maxLength: 100 }),
})

export function addNotes({ routes, database }: Pick<PluginServices, 'routes' | 'database'>) {
  routes.add((app) => {
    app.get('/api/every-point/notes', { config: { access: 'admin' } }, async () => {
      const rows = await database.select<{ user_id: number; note: string }>(
        'SELECT user_id, note FROM every_point__notes',
      )
      return envelope(Object.fromEntries(rows.map(({ user_id, note }) => [user_id, note])))
    })
    app.put(
      '/api/every-point/notes',
      { config: { access: 'admin' }, schema: { body: noteBody } },
      async ({ body }) => {
        await database.run(
          `INSERT INTO every_point__notes (user_id, note) VALUES (:user_id, :note)
           ON CONFLICT (user_id) DO UPDATE SET note = excluded.note`,
          body,
        )
        return envelope()
      },
    )
  })
}
