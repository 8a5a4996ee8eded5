import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../contract/json.ts'
import type { TaskPlatform, TaskSubmit } from '../contract/task.ts'
import { databaseKinds } from '../../test/harness/databases.ts'
import { openTaskBooks, type TaskBooks } from '../../test/harness/task-books.ts'
import { applyReport, failTask } from './progress.ts'
import type { TaskRow } from '../data/models/task.ts'

const platform: TaskPlatform = {
  id: 'video',
  routes: [],
  writeError: ({ status }) => ({ status, body: {} }),
  defaultPrice: () => 1,
  send: () => ({ method: 'POST', url: '', headers: {} }),
  readAnswer: (body) => ({ isAccepted: true, taskId: '', body }),
  poll: {
    idsPerCall: 10,
    lifetimeMs: 60_000,
    request: () => ({ method: 'POST', url: '', headers: {} }),
    read: () => [],
  },
  show: (task) => ({ id: task.task_id, status: task.status }),
}
const submit: TaskSubmit = {
  action: 'CLIP',
  model: 'video_clip',
  path: '/clips',
  body: {},
  input: 'a red fox',
}

describe.each(databaseKinds)('the money of a task on $name', (kind) => {
  let books: TaskBooks

  beforeAll(async () => {
    books = await openTaskBooks(kind)
  })
  beforeEach(() => books.empty())
  afterEach(async () => {
    expect(await books.ledger.verify()).toMatchObject({ faults: [] })
  })
  afterAll(() => books.close())

  async function accepted(units: number, more: Partial<TaskSubmit> = {}, taskId = 'up-1') {
    await books.accept(platform, { ...submit, ...more }, { taskId, units })
    return books.newest()
  }

  it('enters the charge, the log row and the task together', async () => {
    const task = await accepted(400)
    expect(task).toMatchObject({ task_id: 'up-1', quota: 400, status: 'SUBMITTED', is_open: true })
    expect(await books.figures()).toMatchObject({
      balance: 600,
      remain: 100,
      used: 400,
      tokenUsed: 400,
      channelUsed: 400,
    })
  })

  it('charges nothing when the task cannot be entered', async () => {
    const charge = books.accept(platform, submit, {
      taskId: 'up-1',
      units: 400,
      extraSql: 'broken',
    })
    await expect(charge).rejects.toThrow()
    expect(await books.figures()).toMatchObject({ balance: 1000, remain: 500, used: 0 })
    expect(await books.newest()).toMatchObject({ task_id: '', quota: 0 })
  })

  it('gives all of it back once, however many find the failure at the same time', async () => {
    const task = await accepted(400)
    const ends = await Promise.all(
      Array.from({ length: 8 }, () => failTask(task, 'the model fell over', platform, books.deps)),
    )
    expect(ends.filter(Boolean)).toHaveLength(1)
    expect(await failTask(task, 'again', platform, books.deps)).toBe(false)
    expect(await books.figures()).toEqual({
      balance: 1000,
      remain: 500,
      tokenStatus: 1,
      used: 0,
      tokenUsed: 0,
      channelUsed: 0,
      refunds: [{ ref: `task:${task.id}`, amount: 400 }],
      refundRows: [
        expect.objectContaining({
          type: 4,
          quota: 0,
          username: expect.stringMatching(/^ada/),
          token_name: "ada's token",
        }),
      ],
    })
    expect(await books.newest()).toMatchObject({
      status: 'FAILURE',
      progress: '100%',
      fail_reason: 'the model fell over',
      is_open: false,
    })
  })

  it('gives back without a log row where charges have none either', async () => {
    const options: typeof books.deps.options = {
      ...books.deps.options,
      get: (key) => (key === 'LogConsumeEnabled' ? (false as never) : books.deps.options.get(key)),
    }
    const task = await accepted(400)
    expect(await failTask(task, 'no', platform, { ...books.deps, options })).toBe(true)
    expect(await books.figures()).toMatchObject({ balance: 1000, refundRows: [] })
    expect((await books.figures()).refunds).toHaveLength(1)
  })

  it('lets a token that the charge had exhausted be used again', async () => {
    const task = await accepted(500)
    expect(await books.figures()).toMatchObject({ remain: 0, tokenStatus: 4 })
    await failTask(task, 'no', platform, books.deps)
    expect(await books.figures()).toMatchObject({ remain: 500, tokenStatus: 1 })
  })

  it('never gives back for a task that has succeeded', async () => {
    const task = await accepted(400)
    await applyReport(
      task,
      { taskId: 'up-1', state: 'succeeded', status: 'SUCCESS' },
      platform,
      books.deps,
    )
    expect(await failTask(task, 'late', platform, books.deps)).toBe(false)
    expect(await books.figures()).toMatchObject({ balance: 600, refunds: [] })
  })

  // Nanoseconds that were taken for seconds, and a fraction: PostgreSQL has room for neither.
  it.each([1.7e21, 1_763_600_000_123.5, -1, Number.POSITIVE_INFINITY, Number.NaN])(
    'enters success and failure with the time %d',
    async (time) => {
      const times = { submitMs: time, startMs: time, finishMs: time }
      const done = await accepted(100, {}, 'up-done')
      await applyReport(
        done,
        { taskId: 'up-done', state: 'succeeded', status: 'SUCCESS', ...times },
        platform,
        books.deps,
      )
      expect(await books.newest()).toMatchObject({ status: 'SUCCESS', is_open: false })
      const broken = await accepted(200, {}, 'up-broken')
      await applyReport(
        broken,
        { taskId: 'up-broken', state: 'failed', failReason: 'no', ...times },
        platform,
        books.deps,
      )
      expect(await books.figures()).toMatchObject({ balance: 900 })
    },
  )

  it('ends a failed task whose owner was removed', async () => {
    const task = await accepted(400)
    await books.removeOwner()
    expect(await failTask(task, 'no', platform, books.deps)).toBe(true)
  })

  it('adds the charge of a next step to the task that waits for it', async () => {
    const origin = await accepted(0)
    await accepted(300, { action: 'EXTEND', origin })
    const rows = await books.rows()
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ id: origin.id, action: 'EXTEND', quota: 300 })
    await failTask(rows[0] as TaskRow, 'no', platform, books.deps)
    expect(await books.figures()).toMatchObject({ balance: 1000, remain: 500 })
  })

  it('gives the charge of a next step back to the token that has paid for it', async () => {
    const origin = await accepted(0)
    await books.takeOtherToken()
    const step = await accepted(300, { action: 'EXTEND', origin })
    expect(step).toMatchObject({ id: origin.id, quota: 300 })
    await failTask(step, 'no', platform, books.deps)
    expect(await books.tokens()).toEqual([
      [500, 0],
      [500, 0],
    ])
  })

  it('keeps apart what two tokens have paid for one task', async () => {
    const origin = await accepted(200)
    await books.takeOtherToken()
    await accepted(300, { action: 'EXTEND', origin })
    const rows = await books.rows()
    expect(rows.map(({ action, quota }) => [action, quota])).toEqual([
      ['CLIP', 200],
      ['EXTEND', 300],
    ])
    await failTask(rows[1] as TaskRow, 'no', platform, books.deps)
    expect(await books.tokens()).toEqual([
      [300, 200],
      [500, 0],
    ])
  })

  it('gives a next step a row of its own when the task it follows has ended meanwhile', async () => {
    const origin = await accepted(0)
    await failTask(origin, 'too late', platform, books.deps)
    await accepted(300, { action: 'EXTEND', origin })
    const rows = await books.rows()
    expect(rows.map(({ action, is_open, quota }) => [action, is_open, quota])).toEqual([
      ['CLIP', false, 0],
      ['EXTEND', true, 300],
    ])
  })

  it('tells the hook of each change and of nothing else', async () => {
    const task = await accepted(0, { hook: 'https://client.example/hook' })
    const report = {
      taskId: 'up-1',
      state: 'open' as const,
      status: 'IN_PROGRESS',
      progress: '40%',
    }
    await applyReport(task, report, platform, books.deps)
    const moved = await books.newest()
    await applyReport(moved, report, platform, books.deps)
    await applyReport(
      moved,
      { taskId: 'up-1', state: 'failed', failReason: 'no' },
      platform,
      books.deps,
    )
    expect(books.posted.map(({ body }: { body: JsonObject }) => body['status'])).toEqual([
      'IN_PROGRESS',
      'FAILURE',
    ])
  })
})
