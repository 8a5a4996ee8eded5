// Part 2, 2.9 to 2.16, 9 and 10: calls that ask the upstream of a channel, and what models there are.
import { Type } from '@sinclair/typebox'
import { expect } from 'vitest'
import { sendJson } from '../../harness/scripted-upstream.ts'
import { mapOf, modelCard, names, number } from '../shapes.ts'
import type { Stage } from '../stage.ts'
import type { Room } from '../table.ts'

let id = 0
let drawingId = 0

interface Row {
  token_id: number
  token_name: string
  content: string
}

const input = ({ upstream }: Stage, more: object = {}) => ({
  type: 1,
  name: 'asked',
  key: 'sk-upstream',
  base_url: upstream.url,
  models: 'contract-model',
  ...more,
})

async function settled(check: () => Promise<boolean>): Promise<void> {
  await expect.poll(check, { interval: 20 }).toBe(true)
}

export const upstreamsRoom: Room = {
  subject: 'upstreams of channels',
  prepare: async (stage) => {
    const { admin } = stage.callers
    ;[id = 0] = await admin.post<number[]>('/api/channel/', input(stage))
    const drawing = input(stage, { type: 5, models: 'mj_imagine' })
    ;[drawingId = 0] = await admin.post<number[]>('/api/channel/', drawing)
  },
  calls: [
    {
      method: 'GET',
      path: '/api/channel/test/{id}',
      access: 'admin',
      answers: [
        {
          it: 'answers the seconds next to data',
          send: () => ({ path: { id }, query: { model: '' } }),
          beside: { time: number },
        },
        {
          it: 'tests the model that is asked for',
          send: () => ({ path: { id }, query: { model: 'contract-model' } }),
          beside: { time: number },
        },
      ],
    },
    {
      method: 'GET',
      path: '/api/channel/test',
      access: 'admin',
      probe: async ({ app }) => {
        await app.root.get('/api/status')
        return {}
      },
    },
    {
      method: 'GET',
      path: '/api/channel/update_balance/{id}',
      access: 'admin',
      answers: [
        {
          it: 'answers the dollars next to data',
          send: () => ({ path: { id } }),
          beside: { balance: Type.Literal(12.5) },
        },
      ],
      refuses: [
        {
          it: 'a type without such a call',
          send: () => ({ path: { id: drawingId } }),
          code: 'channel.balance_unsupported',
        },
        { it: 'an unknown channel', send: {}, code: 'channel.not_found' },
      ],
    },
    {
      method: 'GET',
      path: '/api/channel/update_balance',
      access: 'admin',
      answers: [{ it: 'answers at once, without data' }],
    },
    {
      method: 'GET',
      path: '/api/channel/fetch_models/{id}',
      access: 'admin',
      answers: [{ it: 'answers the names', send: () => ({ path: { id } }), data: names }],
      refuses: [{ it: 'an unknown channel', send: {}, code: 'channel.not_found' }],
    },
    {
      method: 'POST',
      path: '/api/channel/fetch_models',
      access: 'admin',
      probe: { body: {} },
      answers: [
        {
          it: 'answers the names for a channel that is not saved, by the first line of its key',
          send: ({ upstream }) => ({
            body: { base_url: upstream.url, type: 1, key: ' sk-a \nsk-b' },
          }),
          data: Type.Tuple([Type.Literal('gpt-4o'), Type.Literal('contract-model')]),
        },
      ],
      refuses: [
        {
          it: 'no key (spec), with 200',
          send: ({ upstream }) => ({ body: { base_url: upstream.url, type: 1, key: '' } }),
          code: 'channel.field_missing',
          says: /key/,
        },
        {
          it: 'a broken body, with 200',
          send: { body: { type: 'x' } },
          code: 'request.invalid_field',
        },
      ],
    },
    {
      method: 'GET',
      path: '/api/channel/models',
      access: 'admin',
      answers: [
        {
          it: 'answers the map of the specification, and the flat list of older consoles next to it',
          data: mapOf(names),
          beside: { models: Type.Array(modelCard) },
        },
      ],
    },
    {
      method: 'GET',
      path: '/api/channel/models_enabled',
      access: 'admin',
      answers: [{ it: 'answers names', data: names }],
    },
  ],
  stories: [
    {
      it: 'tells a failed test with its seconds, and keeps its duration all the same',
      run: async (stage) => {
        const { admin } = stage.callers
        const closed = input(stage, { name: 'closed', base_url: 'http://127.0.0.1:9' })
        const [failing = 0] = await admin.post<number[]>('/api/channel/', closed)
        const { status, body } = await admin.call('GET', `/api/channel/test/${failing}`)
        expect(status).toBe(200)
        expect(body).toMatchObject({
          success: false,
          message: expect.stringMatching(/\S/),
          time: expect.any(Number),
        })
        const row = await admin.get<{ test_time: number; status: number }>(
          `/api/channel/${failing}`,
        )
        expect(row.test_time).toBeGreaterThan(0)
        expect(row.status).toBe(1)
        await admin.delete(`/api/channel/${failing}/`)
      },
    },
    {
      it: 'logs a test as one that nobody pays, and leaves it out of the sums',
      run: async (stage) => {
        const { admin } = stage.callers
        const self = () => admin.get<{ quota: number; used_quota: number }>('/api/user/self')
        const before = await self()
        expect((await admin.call('GET', `/api/channel/test/${id}`)).success).toBe(true)
        const query = `type=2&channel=${id}`
        const row = async () => (await admin.get<{ items: Row[] }>(`/api/log/?${query}`)).items[0]
        await expect.poll(row).toMatchObject({ token_id: 0, username: 'contract-admin' })
        const { token_name, content } = (await row())!
        expect(token_name).toBe(content)
        expect(await admin.get(`/api/log/stat?${query}`)).toEqual({ quota: 0, rpm: 0, tpm: 0 })
        const { quota, used_quota } = await self()
        expect({ quota, used_quota }).toEqual({
          quota: before.quota,
          used_quota: before.used_quota,
        })
      },
    },
    {
      it: 'sends nothing for a type that cannot be tested',
      run: async ({ upstream, callers: { admin } }) => {
        const before = upstream.calls.length
        const answer = await admin.call('GET', `/api/channel/test/${drawingId}`)
        expect(answer).toMatchObject({
          success: false,
          message: expect.stringMatching(/not supported/),
        })
        expect(upstream.calls).toHaveLength(before)
      },
    },
    {
      it: 'runs one test of all at a time',
      run: async (stage) => {
        const { admin } = stage.callers
        const test = () => admin.call('GET', '/api/channel/test')
        await settled(async () => (await test()).success)
        const second = await test()
        expect(second).toMatchObject({ success: false, message: expect.stringMatching(/running/) })
      },
    },
    {
      it: 'tells with 200 that the upstream would not say its models, and never the key',
      run: async (stage) => {
        const refusing = await stage.spare((response) =>
          sendJson(response, { error: { message: 'no sk-very-secret' } }, 401),
        )
        const body = { base_url: refusing.url, type: 1, key: 'sk-very-secret' }
        const answer = await stage.callers.admin.call('POST', '/api/channel/fetch_models', body)
        expect(answer).toMatchObject({ status: 200, success: false })
        expect(answer.message).not.toContain('very-secret')
      },
    },
    {
      it: 'lists each model once',
      run: async ({ callers: { admin } }) => {
        const { body } = await admin.call('GET', '/api/channel/models')
        const cards = body['models'] as { id: string }[]
        expect(new Set(cards.map((card) => card.id)).size).toBe(cards.length)
        expect(await admin.get('/api/channel/models_enabled')).toContain('contract-model')
        expect(body['data']).toEqual(await admin.get('/api/models'))
      },
    },
  ],
}
