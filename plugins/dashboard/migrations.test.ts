import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type PluginApp } from '#test'
import dashboard from './index.ts'
import { migrations } from './migrations.ts'

const ofOneUser = 'SELECT * FROM dashboard__hours WHERE user_id = 1 AND created_at IN (0, 7200)'

describe.each(databaseKinds)('hours of an earlier version, on $name', (kind) => {
  let app: PluginApp

  beforeAll(async () => {
    app = await createPluginApp({ plugins: [dashboard], kind })
  })
  afterAll(() => app.close())

  it('stay when they get another key, and some of one user are found by it', async () => {
    const { dialect, run, select } = app.database
    const of = { dialect, prefix: 'dashboard__', select }
    await run('DROP TABLE dashboard__hours')
    const runOfHours = (sql: string) => (sql.includes('__hours') ? run(sql) : Promise.resolve(0))
    await migrations.at(0)?.up({ ...of, run: runOfHours })
    await run(
      `INSERT INTO dashboard__hours (user_id, model_name, created_at, username, token_used, count, quota)
       VALUES (1, 'b', 0, 'ann', 1, 2, 3), (2, 'a', 0, 'bob', 4, 5, 6), (1, 'a', 3600, 'ann', 7, 8, 9)`,
    )
    const hours = () => select('SELECT * FROM dashboard__hours ORDER BY created_at, user_id')
    const before = await hours()
    await migrations
      .find(({ id }) => id === 'dashboard-0008-hours-by-time')
      ?.up({ ...of, run: (sql) => run(sql) })
    expect(await hours()).toEqual(before)
    const plan = dialect === 'sqlite' ? await select(`EXPLAIN QUERY PLAN ${ofOneUser}`) : []
    expect(plan).toEqual(
      plan.map(() =>
        expect.objectContaining({ detail: expect.stringContaining('user_id=? AND created_at=?') }),
      ),
    )
    await expect(
      run(
        `INSERT INTO dashboard__hours (user_id, model_name, created_at, username, token_used, count, quota)
         VALUES (1, 'b', 0, 'ann', 1, 1, 1)`,
      ),
    ).rejects.toThrow()
  })
})
