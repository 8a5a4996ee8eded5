import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TaskPlatform, TaskRecord, TaskReport, TaskSubmit } from '../contract/task.ts'
import { databaseKinds } from '../../test/harness/databases.ts'
import { openTaskBooks, type TaskBooks } from '../../test/harness/task-books.ts'
import type { ChannelIndex } from '../channels/routing/channel-index.ts'
import { pollTasksJob } from './poll-tasks.ts'
import type { TaskDeps } from './task-deps.ts'

const lifetimeMs = 600_000
const submit: TaskSubmit = { action: 'CLIP', model: 'clip', path: '/', body: {}, input: '' }

/** A platform whose poll carries the ids in its URL, and whose answer is the reports themselves. */
const platform: TaskPlatform = {
  id: 'video',
  routes: [],
  writeError: ({ status }) => ({ status, body: {} }),
  defaultPrice: () => 1,
  send: () => ({ method: 'POST', url: '', headers: {} }),
  readAnswer: (body) => ({ isAccepted: true, taskId: '', body }),
  poll: {
    idsPerCall: 2,
    lifetimeMs,
    request: (tasks: readonly TaskRecord[]) => ({
      method: 'POST',
      url: tasks.map(({ task_id }) => task_id).join(),
      headers: {},
    }),
    read: (body) => body as TaskReport[],
  },
  show: ({ task_id }) => ({ id: task_id }),
}

describe.each(databaseKinds)('following tasks on $name', (kind) => {
  let books: TaskBooks
  let polls: string[]
  let reports: Record<string, Omit<TaskReport, 'taskId'>>
  let clock: number
  /** How far the machine's clock was set away from a clock that nobody sets. */
  let setMs: number
  let hasChannel: boolean

  beforeAll(async () => {
    books = await openTaskBooks(kind)
  })
  beforeEach(async () => {
    await books.empty()
    polls = []
    reports = {}
    clock = Date.now()
    setMs = 0
    hasChannel = true
  })
  afterAll(() => books.close())

  /** A poller as a node has it after each start. */
  function newPoller() {
    const http = {
      json: ({ url }: { url: string }) => {
        polls.push(url)
        if (url.includes('unreachable')) return Promise.reject(new Error('no route'))
        const body = url.split(',').flatMap((taskId) => {
          const report = reports[taskId]
          return report ? [{ taskId, ...report }] : []
        })
        return Promise.resolve({ status: 200, headers: {}, body })
      },
    } as unknown as TaskDeps['http']
    const index = { find: () => (hasChannel ? { view: {}, httpOptions: {} } : undefined) }
    const deps = { ...books.deps, http, index: () => index as unknown as ChannelIndex }
    const now = () => clock + setMs
    const job = pollTasksJob([platform], deps, { everySeconds: 3600, now, steadyNow: () => clock })
    return () => job.run(new AbortController().signal)
  }

  const accept = (taskId: string, units = 100) => books.accept(platform, submit, { taskId, units })

  async function states() {
    return (await books.rows()).map((row) => [row.task_id, row.status, row.progress, row.is_open])
  }

  it('asks in groups and writes down what it hears', async () => {
    for (const id of ['a', 'b', 'c']) await accept(id)
    reports = {
      a: { state: 'open', status: 'IN_PROGRESS', progress: '30%' },
      b: { state: 'succeeded', status: 'SUCCESS', data: { url: 'x' } },
      stranger: { state: 'failed' },
    }
    await newPoller()()
    expect(polls.toSorted()).toEqual(['a,b', 'c'])
    expect(await states()).toEqual([
      ['a', 'IN_PROGRESS', '30%', true],
      ['b', 'SUCCESS', '100%', false],
      ['c', 'SUBMITTED', '0%', true],
    ])
  })

  it('goes on after a restart with what is unfinished', async () => {
    await accept('a')
    await accept('b')
    reports = { a: { state: 'succeeded', status: 'SUCCESS' } }
    await newPoller()()
    await newPoller()()
    expect(polls).toEqual(['a,b', 'b'])
  })

  it('follows the others when one upstream cannot be reached', async () => {
    await accept('unreachable')
    await accept('also unreachable')
    await accept('c')
    reports = { c: { state: 'succeeded', status: 'SUCCESS' } }
    await newPoller()()
    expect((await states()).map(([, status]) => status)).toEqual([
      'SUBMITTED',
      'SUBMITTED',
      'SUCCESS',
    ])
  })

  it('asks an upstream that gives no answer a few times in a round, and the others all the same', async () => {
    for (let count = 0; count < 12; count++) await accept(`unreachable ${count}`, 1)
    await books.database.run('UPDATE tasks SET channel_id = channel_id + 1')
    await accept('c')
    reports = { c: { state: 'succeeded', status: 'SUCCESS' } }
    await newPoller()()
    expect(polls.filter((url) => url.includes('unreachable'))).toHaveLength(4)
    expect((await states()).at(-1)).toEqual(['c', 'SUCCESS', '100%', false])
  })

  it('goes through a long queue in one round', async () => {
    await accept('first')
    await books.database.run(
      `WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < 1200)
       INSERT INTO tasks (platform, screen, task_id, user_id, channel_id, quota, status, created_at, updated_at)
       SELECT platform, screen, 'task ' || n, user_id, channel_id, quota, status, created_at, updated_at
       FROM tasks, series`,
    )
    await newPoller()()
    expect(polls.flatMap((url) => url.split(','))).toHaveLength(1201)
  })

  it('fails what is too old, but first asks what became of it', async () => {
    await accept('done while away')
    await accept('stuck')
    reports = { 'done while away': { state: 'succeeded', status: 'SUCCESS' } }
    clock += lifetimeMs + 5_000
    await newPoller()()
    expect((await states()).map(([id, status]) => [id, status])).toEqual([
      ['done while away', 'SUCCESS'],
      ['stuck', 'FAILURE'],
    ])
    expect(await books.figures()).toMatchObject({ balance: 900, refunds: [{ amount: 100 }] })
  })

  it('takes no task for old because the clock was set forward', async () => {
    await accept('a')
    const poll = newPoller()
    await poll()
    setMs = lifetimeMs * 10
    await poll()
    setMs = 0
    await poll()
    expect((await states())[0]).toEqual(['a', 'SUBMITTED', '0%', true])
    setMs = lifetimeMs * 10
    await poll()
    clock += lifetimeMs + 5_000
    await poll()
    expect((await states())[0]).toEqual(['a', 'FAILURE', '100%', false])
  })

  it('does not fail what is too old after a restart before its upstream has answered', async () => {
    await accept('unreachable')
    clock += lifetimeMs + 5_000
    const poll = newPoller()
    await poll()
    clock += lifetimeMs
    await poll()
    expect((await states())[0]).toEqual(['unreachable', 'SUBMITTED', '0%', true])
    clock += 1_000
    await poll()
    expect((await states())[0]).toEqual(['unreachable', 'FAILURE', '100%', false])
    expect(await books.figures()).toMatchObject({ balance: 1000, refunds: [{ amount: 100 }] })
  })

  it('fails and gives back the tasks of a channel that was removed', async () => {
    await accept('a')
    hasChannel = false
    await newPoller()()
    expect((await states())[0]).toEqual(['a', 'SUBMITTED', '0%', true])
    await books.database.run('DELETE FROM channels')
    await newPoller()()
    expect((await states())[0]).toEqual(['a', 'FAILURE', '100%', false])
    expect(await books.figures()).toMatchObject({ balance: 1000, remain: 500 })
  })

  it('fails a submit that a crash cut off, which was never charged, and leaves one that is under way', async () => {
    await books.begin(platform, submit)
    await newPoller()()
    expect(await states()).toEqual([['', '', '0%', true]])
    clock += 200_000
    await newPoller()()
    expect(await states()).toEqual([['', 'FAILURE', '100%', false]])
    expect(polls).toEqual([])
    expect(await books.figures()).toMatchObject({ balance: 1000, refunds: [] })
  })
})
