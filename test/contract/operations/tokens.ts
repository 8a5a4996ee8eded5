// Part 2, 6.1 and 6.2: everybody's own tokens.
import { Type } from '@sinclair/typebox'
import { expect } from 'vitest'
import { token } from '../shapes.ts'
import type { Call, Refusal, Room } from '../table.ts'

let mine = 0
let foreign = 0

/** As the form of an older console sends it. */
const form = (more: object = {}) => ({
  name: 'contract',
  remain_quota: 500_000,
  expired_time: -1,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
  ...more,
})

const wrongFields: readonly (Omit<Refusal, 'send'> & { change: object })[] = [
  {
    it: 'a name of 31 characters',
    change: { name: '名'.repeat(31) },
    code: 'token.name_too_long',
    says: /30/,
  },
  { it: 'a quota below 0', change: { remain_quota: -1 }, code: 'token.quota_invalid' },
  { it: 'a time before 1970', change: { expired_time: -2 }, code: 'token.expiry_invalid' },
  {
    it: 'a time that is none (spec)',
    change: { expired_time: 'tomorrow' },
    code: 'request.invalid_field',
    says: /expired_time/,
  },
  {
    it: 'addresses that are none',
    change: { allow_ips: 'here\nthere' },
    code: 'token.address_invalid',
  },
  {
    it: 'a group that is not the own',
    change: { group: 'secret-group' },
    code: 'token.group_not_usable',
  },
]

const calls: readonly Call[] = [
  {
    method: 'GET',
    path: '/api/token/',
    access: 'user',
    answers: [
      {
        it: 'answers a bare array with the keys',
        send: { query: { p: 0, size: 10 } },
        data: Type.Array(token),
      },
    ],
  },
  {
    method: 'GET',
    path: '/api/token/search',
    access: 'user',
    answers: [
      {
        it: 'answers a bare array',
        send: { query: { keyword: 'c', token: '' } },
        data: Type.Array(token),
      },
    ],
  },
  {
    method: 'GET',
    path: '/api/token/{id}',
    access: 'user',
    answers: [{ it: 'answers one', send: () => ({ path: { id: mine } }), data: token }],
    refuses: [
      { it: 'an unknown id', send: {}, code: 'token.not_found' },
      { it: "somebody else's", send: () => ({ path: { id: foreign } }), code: 'token.not_found' },
      {
        it: "a user's, even of the super admin",
        send: () => ({ by: 'root', path: { id: mine } }),
        code: 'token.not_found',
      },
    ],
  },
  {
    method: 'POST',
    path: '/api/token/',
    access: 'user',
    probe: { body: { remain_quota: -1 } },
    answers: [
      { it: 'answers the new row', send: { body: form() }, data: token },
      {
        it: 'takes 30 characters of any script',
        send: { body: form({ name: '名'.repeat(30) }) },
        data: token,
      },
      {
        it: 'takes the group auto and ranges of addresses',
        send: { body: form({ group: 'auto', allow_ips: '10.0.0.0/8\n::1' }) },
        data: token,
      },
    ],
    refuses: wrongFields.map(({ change, ...refusal }) => ({
      ...refusal,
      send: { body: form(change) },
    })),
  },
  {
    method: 'PUT',
    path: '/api/token/',
    access: 'user',
    probe: { body: { id: 999_999 } },
    answers: [
      {
        it: 'answers the row',
        send: () => ({ body: form({ id: mine, status: 1, key: 'x', used_quota: 5 }) }),
        data: token,
      },
      {
        it: 'answers the row when only the status is sent',
        send: () => ({ query: { status_only: 'true' }, body: { id: mine, status: 2 } }),
        data: token,
      },
    ],
    refuses: [
      { it: 'an unknown id', send: { body: form({ id: 999_999 }) }, code: 'token.not_found' },
      {
        it: "somebody else's",
        send: () => ({ body: form({ id: foreign }) }),
        code: 'token.not_found',
      },
      ...[0, 3, 4, 9].map((status) => ({
        it: `the status ${status} (spec)`,
        send: () => ({ query: { status_only: 'true' }, body: { id: mine, status } }),
        code: 'token.status_invalid',
      })),
      ...wrongFields.map(({ change, ...refusal }) => ({
        ...refusal,
        send: () => ({ body: form({ id: mine, ...change }) }),
      })),
    ],
  },
  {
    method: 'DELETE',
    path: '/api/token/{id}',
    access: 'user',
    answers: [
      {
        it: 'answers no data',
        send: async ({ callers: { user } }) => {
          const { id } = await user.post<{ id: number }>('/api/token/', form())
          return { path: { id } }
        },
      },
    ],
    refuses: [
      { it: 'an unknown id', send: {}, code: 'token.not_found' },
      { it: "somebody else's", send: () => ({ path: { id: foreign } }), code: 'token.not_found' },
    ],
  },
]

interface Row {
  id: number
  name: string
  key: string
  status: number
}

export const tokensRoom: Room = {
  subject: 'tokens',
  dependsOnSql: true,
  prepare: async ({ callers: { user, admin } }) => {
    ;({ id: mine } = await user.post<Row>('/api/token/', form()))
    ;({ id: foreign } = await admin.post<Row>('/api/token/', form()))
  },
  calls,
  stories: [
    {
      it: 'pages from 0 by size, newest first, at most 100 rows',
      run: async (stage) => {
        const client = await stage.account('token-pages')
        for (const name of ['a', 'b', 'c']) await client.post('/api/token/', form({ name }))
        const list = async (query: string) =>
          (await client.get<Row[]>(`/api/token/?${query}`)).map(({ name }) => name)
        expect(await list('p=0&size=2')).toEqual(['c', 'b'])
        expect(await list('p=1&size=2')).toEqual(['a'])
        expect(await list('p=2&size=2')).toEqual([])
        expect(await list('p=0&size=-4')).toEqual(['c', 'b', 'a'])
        expect(await list('size=1000')).toHaveLength(3)
        const answer = await client.call('GET', '/api/token/?size=1')
        expect(answer.headers.get('x-total-count')).toBe('3')
      },
    },
    {
      it: 'finds part of a name and part of a key, with or without sk-',
      run: async (stage) => {
        const client = await stage.account('token-search')
        const made = await client.post<Row>('/api/token/', form({ name: 'My Phone' }))
        await client.post('/api/token/', form({ name: 'other' }))
        const search = async (keyword: string, key: string) => {
          const query = new URLSearchParams({ keyword, token: key })
          return (await client.get<Row[]>(`/api/token/search?${query.toString()}`)).map(
            ({ id }) => id,
          )
        }
        expect(await search('phone', '')).toEqual([made.id])
        expect(await search('', made.key)).toEqual([made.id])
        expect(await search('', `sk-${made.key.slice(0, 20)}`)).toEqual([made.id])
        expect(await search('other', made.key)).toEqual([])
        expect(await search('%', '')).toEqual([])
      },
    },
    {
      it: 'overwrites every field with an edit, and only the status with status_only',
      run: async ({ callers: { user } }) => {
        const { id } = await user.post<Row>(
          '/api/token/',
          form({ name: 'whole', model_limits: 'a,b' }),
        )
        const status = { id, status: 2, name: 'ignored' }
        const switched = await user.put('/api/token/?status_only=true', status)
        expect(switched).toMatchObject({ status: 2, name: 'whole', model_limits: 'a,b' })
        expect(await user.put('/api/token/', { id, name: 'bare' })).toMatchObject({
          name: 'bare',
          model_limits: '',
          remain_quota: 0,
          unlimited_quota: false,
          expired_time: -1,
        })
      },
    },
    {
      it: 'takes an expiry of 0 as never',
      run: async ({ callers: { user } }) => {
        expect(await user.post('/api/token/', form({ expired_time: 0 }))).toMatchObject({
          expired_time: -1,
          status: 1,
        })
      },
    },
    {
      it: 'enables no token that is expired or used up before the cause is gone',
      run: async ({ callers: { user } }) => {
        const past = await user.post<Row>('/api/token/', form({ expired_time: 1_700_000_000 }))
        const enable = (id: number) =>
          user.call('PUT', '/api/token/?status_only=true', { id, status: 1 })
        expect(await user.get(`/api/token/${past.id}`)).toMatchObject({ status: 3 })
        expect(await enable(past.id)).toMatchObject({
          code: 'token.still_expired',
          message: expect.stringMatching(/expir/),
        })
        const edit = form({ id: past.id, status: 1, expired_time: 1_700_000_001 })
        expect(await user.call('PUT', '/api/token/', edit)).toMatchObject({
          code: 'token.still_expired',
        })
        await user.put('/api/token/', form({ id: past.id, status: 3 }))
        expect(await user.get(`/api/token/${past.id}`)).toMatchObject({ status: 1 })
      },
    },
    {
      it: 'deletes for good: neither list nor relay knows it afterwards',
      run: async ({ app, callers: { user } }) => {
        const { id, key } = await user.post<Row>('/api/token/', form())
        const models = () =>
          fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })
        expect((await models()).status).toBe(200)
        await user.delete(`/api/token/${id}/`)
        expect((await models()).status).toBe(401)
        expect(await user.call('GET', `/api/token/${id}`)).toMatchObject({
          code: 'token.not_found',
        })
      },
    },
  ],
}
