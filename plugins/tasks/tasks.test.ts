import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TaskQuery, TaskRecord } from '#core'
import { createPluginApp, type InjectClient, type PluginApp } from '#test'
import tasks from './index.ts'

const task: TaskRecord = {
  file_key: 'k1',
  id: 9,
  platform: 'suno',
  screen: 'tasks',
  task_id: 'song-1',
  user_id: 3,
  token_id: 4,
  channel_id: 5,
  model_name: 'suno_music',
  action: 'MUSIC',
  quota: 50_000,
  code: 0,
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: '',
  input: 'rain',
  created_at: 1_744_612_345,
  updated_at: 1_744_612_400,
  submit_ms: 1_744_612_345_678,
  start_ms: 0,
  finish_ms: 1_744_612_399_000,
  is_open: false,
  data: [{ id: 'c1' }],
}

let app: PluginApp
let admin: InjectClient
let ada: InjectClient
let asked: TaskQuery | undefined
let page: { offset: number; limit: number } | undefined

beforeAll(async () => {
  app = await createPluginApp({
    plugins: [tasks],
    services: {
      tasks: {
        list: (query, askedPage) => {
          asked = query
          page = askedPage
          return Promise.resolve({ items: [task], total: 1 })
        },
      },
    },
  })
  const password = 'correct horse'
  const boss = await app.accounts.create({ username: 'boss', password, role: 10, by: 'setup' })
  const user = await app.accounts.create({ username: 'ada', password, by: 'admin' })
  admin = await app.signedIn(boss.id)
  ada = await app.signedIn(user.id)
})

afterAll(() => app.close())

describe('the task log', () => {
  it('filters by whole seconds, the last one included', async () => {
    const query = 'channel_id=5&task_id=song-1&platform=suno&action=MUSIC&status=SUCCESS'
    const answer = await admin.call(
      'GET',
      `/api/task/?${query}&start_timestamp=100&end_timestamp=200`,
    )
    expect(answer).toMatchObject({
      success: true,
      data: [
        {
          task_id: 'song-1',
          channel_id: 5,
          submit_time: 1_744_612_345,
          start_time: 0,
          finish_time: 1_744_612_399,
          properties: { input: 'rain' },
          data: [{ id: 'c1' }],
        },
      ],
    })
    expect(asked).toEqual({
      screen: 'tasks',
      taskId: 'song-1',
      platform: 'suno',
      action: 'MUSIC',
      status: 'SUCCESS',
      fromMs: 100_000,
      toMs: 200_999,
      channelId: 5,
    })
  })

  it('takes what is no number for no filter', async () => {
    await admin.call(
      'GET',
      '/api/task/?p=undefined&channel_id=&start_timestamp=NaN&end_timestamp=undefined',
    )
    expect(asked).toEqual({ screen: 'tasks' })
  })

  it.each([
    ['', { offset: 10, limit: 10 }],
    ['&page_size=20', { offset: 20, limit: 20 }],
    ['&page_size=1000', { offset: 100, limit: 100 }],
  ])('gives the page that is asked for: %j', async (size, wanted) => {
    await admin.call('GET', `/api/task/?p=1${size}`)
    expect(page).toEqual(wanted)
  })

  it('shows users their own tasks only, without the channel', async () => {
    expect(await ada.call('GET', '/api/task/self?channel_id=5')).toMatchObject({
      data: [{ id: 9, channel_id: 0 }],
    })
    expect(asked).toMatchObject({ userId: expect.any(Number) })
    expect(asked).not.toHaveProperty('channelId')
    expect(await ada.call('GET', '/api/task/')).toMatchObject({ success: false })
  })
})
