// Which index the lists of tasks go by on SQLite, which has no statistics in a gateway.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseKinds, type TestDatabase } from '../../test/harness/databases.ts'
import type { TaskQuery } from '../contract/task.ts'
import { tasks } from '../data/models/task.ts'
import { createTaskList } from './task-list.ts'

describe.each(databaseKinds)('the list of tasks on $name', ({ create }) => {
  let test: TestDatabase
  const asked: string[] = []

  beforeAll(async () => {
    test = await create()
    await test.database.run(
      `WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < 500)
       INSERT INTO tasks (platform, screen, task_id, user_id, channel_id, model_name, action, status, created_at, updated_at, submit_ms, is_open)
       SELECT 'suno', CASE WHEN n % 5 = 0 THEN 'drawing' ELSE 'tasks' END, 'task-' || n, n % 50, n % 7, 'm', 'MUSIC', 'SUCCESS', n, n, n * 1000, FALSE FROM series`,
    )
    const logging = (line: string) => {
      asked.push(line.slice(line.indexOf(': ') + 2))
    }
    const model = tasks(test.database)
    model.addHook('beforeFind', (options) => void Object.assign(options, { logging }))
    model.addHook('beforeCount', (options) => void Object.assign(options, { logging }))
  })
  afterAll(() => test.close())

  const list = (query: TaskQuery) =>
    createTaskList(test.database).list(query, { offset: 0, limit: 3 })

  it.each([
    [{ userId: 7 }, 10],
    [{ screen: 'tasks', userId: 7 }, 10],
    [{ screen: 'tasks', userId: 10 }, 0],
    [{ screen: 'tasks', userId: 7, status: 'SUCCESS', fromMs: 107_000, toMs: 407_000 }, 7],
    [{ screen: 'tasks', taskId: 'task-7', userId: 7 }, 1],
    [{ screen: 'tasks', taskId: 'task-7', userId: 8 }, 0],
    [{ screen: 'drawing', channelId: 3, action: 'MUSIC' }, 15],
    [{ screen: 'tasks', platform: 'suno' }, 400],
  ] as const)('finds %j', async (query, total) => {
    const found = await list(query)
    expect(found.total).toBe(total)
    expect(found.items).toHaveLength(Math.min(3, total))
  })

  it.each([
    [{ screen: 'tasks', userId: 7 }, 'tasks_user'],
    [{ screen: 'tasks', userId: 7, status: 'SUCCESS' }, 'tasks_user'],
    [{ screen: 'tasks', taskId: 'task-7' }, 'tasks_task'],
    [{ screen: 'tasks', taskId: 'task-7', userId: 7 }, 'tasks_task'],
    [{ screen: 'tasks', status: 'SUCCESS' }, 'tasks_status'],
    [{ screen: 'tasks', platform: 'suno' }, 'tasks_platform'],
  ] as const)('looks for %j by what has the fewest rows', async (query, index) => {
    if (test.database.dialect === 'postgres') return
    asked.length = 0
    await list(query)
    // The rows of the page are read by their ids.
    const looks = asked.filter((sql) => !/WHERE `tasks`.`id` IN/.test(sql))
    const plans = await Promise.all(
      looks.map((sql) => test.database.select<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)),
    )
    expect(asked.length - plans.length).toBe(1)
    for (const rows of plans)
      expect(rows.map(({ detail }) => detail).join()).toMatch(new RegExp(`INDEX ${index} `))
  })

  it('passes over ids to a page far behind, and counts only where more may follow', async () => {
    const page = async (offset: number) => {
      asked.length = 0
      const query = { screen: 'tasks' } as const
      const { items, total } = await createTaskList(test.database).list(query, { offset, limit: 3 })
      return { ids: items.map(({ id }) => id), total, looks: asked.length }
    }
    expect(await page(0)).toEqual({ ids: [499, 498, 497], total: 400, looks: 3 })
    expect(asked[0]).toMatch(/^SELECT .id. FROM/)
    expect(await page(399)).toEqual({ ids: [1], total: 400, looks: 2 })
    expect(await page(400)).toEqual({ ids: [], total: 400, looks: 2 })
  })
})
