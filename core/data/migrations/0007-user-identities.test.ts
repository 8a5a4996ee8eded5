import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { driverKinds, quietLog, type TestDatabase } from '../../../test/harness/databases.ts'
import { migrate } from '../migrate.ts'
import { userIdentities } from '../models/user-identity.ts'
import { users } from '../models/user.ts'

const columns = ['github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id']

describe.each(driverKinds)('the step to identities on $name', ({ create }) => {
  let test: TestDatabase

  beforeAll(async () => {
    test = await create()
    const { database } = test
    await database.run('DROP TABLE user_identities')
    await database.run(
      `DELETE FROM schema_steps WHERE name IN ('0007-user-identities', '0019-identity-issuers')`,
    )
    for (const column of columns) {
      await database.run(`ALTER TABLE users ADD COLUMN ${column} TEXT NOT NULL DEFAULT ''`)
      const index = `CREATE UNIQUE INDEX users_${column} ON users (${column}) WHERE ${column} <> ''`
      await database.run(index)
    }
    await database.run(
      `INSERT INTO users (id, username, created_at, github_id, linux_do_id, deleted_at) VALUES
       (1, 'ann', 5, '77', 'a:1', NULL), (2, 'bob', 6, '', '', '2026-01-02T03:04:05.678Z')`,
    )
    await migrate(database, quietLog)
  })

  afterAll(() => test.close())

  it('moves what the columns held', async () => {
    const rows = await userIdentities(test.database).findAll({ order: ['provider'] })
    expect(rows.map((row) => row.get())).toEqual([
      { provider: 'github', subject: '77', user_id: 1, created_at: 5, issuer: '' },
      { provider: 'linuxdo', subject: 'a:1', user_id: 1, created_at: 5, issuer: '' },
    ])
  })

  it('leaves times that the models read', async () => {
    const bob = await users(test.database).findByPk(2)
    expect(bob?.get().deleted_at).toEqual(new Date('2026-01-02T03:04:05.678Z'))
  })
})
