import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TaskQuery, TaskRecord } from '#core'
import { createPluginApp, type InjectClient, type PluginApp } from '#test'
import drawing from './index.ts'

const task: TaskRecord = {
  file_key: 'k1',
  id: 7,
  platform: 'midjourney',
  screen: 'drawing',
  task_id: '1744',
  user_id: 3,
  token_id: 4,
  channel_id: 5,
  model_name: 'mj_imagine',
  action: 'IMAGINE',
  quota: 50_000,
  code: 22,
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: '',
  input: 'a red fox',
  created_at: 1_744_612_345,
  updated_at: 1_744_612_400,
  submit_ms: 1_744_612_345_678,
  start_ms: 1_744_612_347_000,
  finish_ms: 1_744_612_399_000,
  is_open: false,
  data: {
    promptEn: 'a red fox',
    imageUrl: 'https://proxy.example/a.png',
    buttons: [{ label: 'U1' }],
  },
}

let app: PluginApp
let admin: InjectClient
let ada: InjectClient
let asked: { query: TaskQuery; page: { offset: number; limit: number } } | undefined
let found: TaskRecord[]

beforeAll(async () => {
  app = await createPluginApp({
    plugins: [drawing],
    services: {
      tasks: {
        list: (query, page) => {
          asked = { query, page }
          return Promise.resolve({ items: found, total: 21 })
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

beforeEach(() => {
  asked = undefined
  found = [task]
})

afterAll(() => app.close())

describe('the drawing log', () => {
  it('shows admins the whole task, in the fields of the screen', async () => {
    const answer = await admin.call(
      'GET',
      '/api/mj/?p=2&channel_id=5&mj_id=1744&start_timestamp=1&end_timestamp=NaN',
    )
    expect(answer).toMatchObject({
      success: true,
      data: [
        {
          id: 7,
          code: 1,
          mj_id: '1744',
          channel_id: 5,
          prompt: 'a red fox',
          prompt_en: 'a red fox',
          submit_time: 1_744_612_345_678,
          created_at: 1_744_612_345,
          image_url: '/mj/image/1744?key=k1',
          buttons: '[{"label":"U1"}]',
          properties: '{}',
        },
      ],
    })
    expect(asked).toEqual({
      query: { screen: 'drawing', taskId: '1744', fromMs: 1, toMs: undefined, channelId: 5 },
      page: { offset: 20, limit: 10 },
    })
  })

  it.each([
    ['', { offset: 10, limit: 10 }],
    ['&page_size=50', { offset: 50, limit: 50 }],
    ['&page_size=100000', { offset: 100, limit: 100 }],
    ['&page_size=-3', { offset: 10, limit: 10 }],
  ])('gives the page that is asked for: %j', async (size, page) => {
    await admin.call('GET', `/api/mj/?p=1${size}`)
    expect(asked?.page).toEqual(page)
  })

  it('shows users their own tasks only, without the channel', async () => {
    const answer = await ada.call('GET', '/api/mj/self/?channel_id=5')
    expect(answer).toMatchObject({ data: [{ id: 7, channel_id: 0 }] })
    expect(asked?.query).toMatchObject({ userId: expect.any(Number) })
    expect(asked?.query).not.toHaveProperty('channelId')
  })

  it('is closed to users where it is for admins, and to strangers', async () => {
    expect(await ada.call('GET', '/api/mj/')).toMatchObject({ success: false })
    expect((await app.client().call('GET', '/api/mj/self')).status).toBe(401)
    expect(asked).toBeUndefined()
  })

  it('has no picture address before there is a picture, and the upstream one where forwarding is off', async () => {
    found = [{ ...task, data: {} }]
    expect(await admin.call('GET', '/api/mj/')).toMatchObject({ data: [{ image_url: '' }] })
    found = [task]
    await app.options.set('MjForwardUrlEnabled', 'false')
    expect(await admin.call('GET', '/api/mj/')).toMatchObject({
      data: [{ image_url: 'https://proxy.example/a.png' }],
    })
  })
})
