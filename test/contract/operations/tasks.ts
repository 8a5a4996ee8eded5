// Part 2, 11: the drawing log, the task log, and what clients of both ask themselves.
import { Type } from '@sinclair/typebox'
import { expect } from 'vitest'
import { addChannel } from '../../harness/shop.ts'
import { drawing, ownDrawing, ownTask, task } from '../shapes.ts'
import type { Stage } from '../stage.ts'
import type { Room } from '../table.ts'

let key = ''

const dayMs = 86_400_000
const emptyDates = { start_timestamp: 'NaN', end_timestamp: 'undefined' }

async function ask({ app }: Stage, method: string, path: string, body?: unknown) {
  const response = await fetch(app.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: text.startsWith('{') ? (JSON.parse(text) as object) : text,
  }
}

const list = (stage: Stage, path: string) => stage.callers.admin.get<object[]>(path)

export const tasksRoom: Room = {
  subject: 'drawings and tasks',
  dependsOnSql: true,
  prepare: async (stage) => {
    const { app, callers, upstream, option } = stage
    const base = { base_url: upstream.url, key: 'upstream-secret' }
    await addChannel(app.root, { ...base, type: 36, models: 'suno_music,suno_lyrics' })
    await addChannel(app.root, { ...base, type: 5, models: 'mj_imagine' })
    await app.root.put('/api/user/', { id: callers.user.userId, quota: 5_000_000 })
    await option('ModelPrice', '{"mj_imagine":0.1,"suno_music":0.1}')
    const token = { name: 'tasks', unlimited_quota: true, expired_time: -1 }
    key = `sk-${(await callers.user.post<{ key: string }>('/api/token/', token)).key}`
    const drawn = await ask(stage, 'POST', '/mj/submit/imagine', { prompt: 'a cat' })
    expect(drawn).toMatchObject({ status: 200, body: { code: 1, result: 'drawing-1' } })
    const sung = await ask(stage, 'POST', '/suno/submit/MUSIC', {
      gpt_description_prompt: 'a song',
    })
    expect(sung).toMatchObject({ status: 200, body: { code: 'success' } })
  },
  calls: [
    {
      method: 'GET',
      path: '/api/mj/',
      access: 'admin',
      answers: [
        {
          it: 'answers a bare array',
          send: { query: { p: 0, channel_id: '', mj_id: '', ...emptyDates } },
          data: Type.Array(drawing, { minItems: 1 }),
        },
      ],
    },
    {
      method: 'GET',
      path: '/api/mj/self',
      access: 'user',
      answers: [
        {
          it: 'answers the own ones without their channel',
          send: { query: { p: 0, mj_id: '', ...emptyDates } },
          data: Type.Array(ownDrawing, { minItems: 1 }),
        },
      ],
    },
    {
      method: 'GET',
      path: '/api/task/',
      access: 'admin',
      answers: [
        {
          it: 'answers a bare array',
          send: { query: { p: 0, channel_id: '', task_id: '', ...emptyDates } },
          data: Type.Array(task, { minItems: 1 }),
        },
      ],
    },
    {
      method: 'GET',
      path: '/api/task/self',
      access: 'user',
      answers: [
        {
          it: 'answers the own ones without their channel',
          send: { query: { p: 0, task_id: '', ...emptyDates } },
          data: Type.Array(ownTask, { minItems: 1 }),
        },
      ],
    },
    {
      method: 'POST',
      path: '/suno/submit/{action}',
      access: 'key',
      probe: { path: { action: 'MUSIC' }, body: {} },
    },
    { method: 'GET', path: '/mj/image/{id}', access: 'public' },
    // Whoever has neither the secret of the hook nor the channel's key learns nothing: 400, signed in or not.
    { method: 'POST', path: '/mj/notify', access: 'public', probe: { body: { id: 'drawing-1' } } },
    { method: 'POST', path: '/suno/fetch', access: 'key', probe: { body: { ids: [] } } },
    { method: 'GET', path: '/suno/fetch/{id}', access: 'key' },
  ],
  stories: [
    {
      it: 'pages from 0 by ten and filters by id, channel and time, in milliseconds and in seconds',
      run: async (stage) => {
        expect(await list(stage, '/api/mj/?p=1')).toEqual([])
        for (const path of ['/api/mj/', '/api/task/']) {
          const { headers } = await stage.callers.admin.call('GET', path)
          expect(headers.get('x-total-count')).toBe('1')
        }
        expect(await list(stage, '/api/mj/?mj_id=drawing-1')).toHaveLength(1)
        expect(await list(stage, '/api/mj/?mj_id=drawing')).toEqual([])
        expect(await list(stage, '/api/mj/?channel_id=98765')).toEqual([])
        const now = Date.now()
        const span = (from: number, to: number) => `start_timestamp=${from}&end_timestamp=${to}`
        expect(await list(stage, `/api/mj/?${span(now - dayMs, now + dayMs)}`)).toHaveLength(1)
        expect(await list(stage, `/api/mj/?${span(now + dayMs, now + 2 * dayMs)}`)).toEqual([])
        const seconds = Math.floor(now / 1000)
        expect(await list(stage, `/api/task/?${span(seconds - 600, seconds + 600)}`)).toHaveLength(
          1,
        )
        expect(await list(stage, `/api/task/?${span(seconds + 600, seconds + 700)}`)).toEqual([])
        expect(await list(stage, '/api/task/?channel_id=98765')).toEqual([])
        expect(await list(stage, '/api/task/?action=MUSIC&platform=suno')).toHaveLength(1)
        expect(await list(stage, '/api/task/?action=LYRICS')).toEqual([])
      },
    },
    {
      it: 'begins with the documented values',
      run: async (stage) => {
        expect(await list(stage, '/api/mj/')).toMatchObject([
          {
            code: 1,
            action: 'IMAGINE',
            mj_id: 'drawing-1',
            prompt: 'a cat',
            progress: '0%',
            image_url: '',
          },
        ])
        expect(await list(stage, '/api/task/')).toMatchObject([
          { task_id: 'song-1', platform: 'suno', action: 'MUSIC', progress: '0%' },
        ])
      },
    },
    {
      it: 'stays readable while the menu hides it',
      run: async (stage) => {
        await stage.option('DrawingEnabled', 'false')
        await stage.option('TaskEnabled', 'false')
        expect(await list(stage, '/api/mj/')).toHaveLength(1)
        expect(await list(stage, '/api/task/')).toHaveLength(1)
        await stage.option('DrawingEnabled', 'true')
        await stage.option('TaskEnabled', 'true')
      },
    },
    {
      it: 'answers clients of Suno from the database, in their own envelope',
      run: async (stage) => {
        const one = { task_id: 'song-1', action: 'MUSIC', progress: '0%' }
        expect(
          await ask(stage, 'POST', '/suno/fetch', { ids: ['song-1', 'song-2'] }),
        ).toMatchObject({
          status: 200,
          body: { code: 'success', message: '', data: [one] },
        })
        expect(await ask(stage, 'GET', '/suno/fetch/song-1')).toMatchObject({
          status: 200,
          body: { code: 'success', message: '', data: one },
        })
      },
    },
    {
      it: 'says 400 to an unknown picture, to everybody',
      run: async ({ app }) => {
        const response = await fetch(`${app.url}/mj/image/nobody`)
        expect(response.status).toBe(400)
        expect(await response.json()).toEqual({ error: 'midjourney_task_not_found' })
      },
    },
    {
      it: 'takes no callback of a drawing without a right to it',
      run: async ({ app, callers }) => {
        const body = JSON.stringify({ id: 'drawing-1', status: 'SUCCESS', progress: '100%' })
        const headers = { 'content-type': 'application/json', cookie: callers.root.sessionCookie }
        const response = await fetch(`${app.url}/mj/notify`, { method: 'POST', headers, body })
        expect(response.status).toBeGreaterThanOrEqual(400)
        const [row] = await callers.admin.get<{ progress: string }[]>('/api/mj/')
        expect(row?.progress).toBe('0%')
      },
    },
  ],
}
