import { definePlugin, envelope } from 'tollgate/contract'
import { LastSignIns } from './last-sign-ins.ts'

export default definePlugin({
  id: 'acme',
  version: '1.0.0',
  contract: '^1.3',
  summary: { en: 'Remembers when each user signed in last', zh: '记录每个用户上次登录的时间' },
  // What whoever switches it on is told, and what it is held to.
  asks: { services: ['events', 'cluster', 'database', 'routes'], routes: ['/api/acme'] },
  migrations: [
    {
      id: 'acme-0001-sign-ins',
      up: async ({ run, prefix }) => {
        await run(
          `CREATE TABLE ${prefix}sign_ins (user_id BIGINT PRIMARY KEY, at_ms BIGINT NOT NULL)`,
        )
      },
    },
  ],
  server({ events, cluster, database, routes }) {
    const last = new LastSignIns(database)
    // A message says what to look at; after a gap, and when the plugin begins to serve, all is read anew.
    cluster.subscribe(
      'acme',
      ({ user_id }) => last.read(Number(user_id)),
      () => last.readAll(),
    )
    events.on('user.signed_in', async ({ userId, atMs }) => {
      await last.save(userId, atMs)
      // After the write: whoever hears of it reads what is there.
      await cluster.publish('acme', { user_id: userId })
    })
    events.on('user.deleted', async ({ userId }) => {
      await last.forget(userId)
      await cluster.publish('acme', { user_id: userId })
    })
    routes.add((app) => {
      app.get('/api/acme', { config: { access: 'admin' } }, () => envelope(last.all()))
    })
  },
})
