// Part 2, 7.1 and 7.2: redemption codes, as admins keep them. Redeeming stands with the wallet.
import { Type } from '@sinclair/typebox'
import { expect } from 'vitest'
import { paged, redemption } from '../shapes.ts'
import type { Stage } from '../stage.ts'
import type { Call, Room } from '../table.ts'

let id = 0
let used = 0

const body = (more: object = {}) => ({ name: 'contract', quota: 100_000, count: 1, ...more })

interface Row {
  id: number
  name: string
  key: string
}

async function create({ callers: { admin } }: Stage, more: object = {}): Promise<Row> {
  await admin.post('/api/redemption/', body(more))
  const { items } = await admin.get<{ items: Row[] }>('/api/redemption/?p=1&page_size=1')
  const [row] = items
  if (!row) throw new Error('no code was made')
  return row
}

const names = ['', '名'.repeat(21), '   '].map((name) => ({
  it: `the name "${name}"`,
  send: { body: body({ name }) },
  code: 'redemptions.name_length',
  says: /1 to 20/,
}))

const calls: readonly Call[] = [
  ...['/api/redemption/', '/api/redemption/search'].map(
    (path): Call => ({
      method: 'GET',
      path,
      access: 'admin',
      answers: [
        {
          it: 'answers a page',
          send: { query: { p: 0, page_size: 10, keyword: '' } },
          data: paged(redemption),
        },
      ],
    }),
  ),
  {
    method: 'GET',
    path: '/api/redemption/{id}',
    access: 'admin',
    answers: [{ it: 'answers one', send: () => ({ path: { id } }), data: redemption }],
    refuses: [
      { it: 'an unknown id', send: {}, code: 'redemptions.unknown' },
      { it: 'an id that is no number', send: { path: { id: 'x' } }, code: 'request.invalid_field' },
    ],
  },
  {
    method: 'POST',
    path: '/api/redemption/',
    access: 'admin',
    probe: { body: {} },
    answers: [
      {
        it: 'answers the codes in order',
        send: { body: body({ count: 3 }) },
        data: Type.Array(Type.String({ pattern: '^[0-9a-f]{32}$' }), { minItems: 3, maxItems: 3 }),
      },
      {
        it: 'takes 20 characters of any script, and figures as text',
        send: { body: body({ name: '名'.repeat(20), quota: '5', count: '1' }) },
        data: Type.Array(Type.String()),
      },
    ],
    refuses: [
      ...names,
      ...[0, 101, -1].map((count) => ({
        it: `${count} codes`,
        send: { body: body({ count }) },
        code: 'redemptions.count_range',
        says: /1 to 100/,
      })),
      ...[0, -5].map((quota) => ({
        it: `codes of ${quota} units`,
        send: { body: body({ quota }) },
        code: 'redemptions.quota_range',
      })),
    ],
  },
  {
    method: 'PUT',
    path: '/api/redemption/',
    access: 'admin',
    probe: { body: { id: 999_999 } },
    answers: [
      {
        it: 'answers the row; whole records may come',
        send: async ({ callers: { admin } }) => ({
          body: { ...(await admin.get<object>(`/api/redemption/${id}`)), name: 'renamed' },
        }),
        data: redemption,
      },
      {
        it: 'answers the row when only the status is sent',
        send: () => ({ query: { status_only: 'true' }, body: { id, status: 2 } }),
        data: redemption,
      },
    ],
    refuses: [
      { it: 'an unknown id', send: { body: body({ id: 999_999 }) }, code: 'redemptions.unknown' },
      {
        it: 'a name of 21 characters',
        send: () => ({ body: { id, name: 'n'.repeat(21), quota: 1 } }),
        code: 'redemptions.name_length',
      },
      {
        it: 'a used code that is enabled (spec)',
        send: () => ({ query: { status_only: 'true' }, body: { id: used, status: 1 } }),
        code: 'redemptions.only_unused',
      },
      {
        it: 'a used code that is edited (spec)',
        send: () => ({ body: { id: used, name: 'x', quota: 1 } }),
        code: 'redemptions.only_unused',
      },
      ...[0, 3, 4].map((status) => ({
        it: `the status ${status}`,
        send: () => ({ query: { status_only: 'true' }, body: { id, status } }),
        code: 'redemptions.status',
      })),
    ],
  },
  {
    method: 'DELETE',
    path: '/api/redemption/{id}',
    access: 'admin',
    answers: [
      {
        it: 'answers no data',
        send: async (stage) => ({ path: { id: (await create(stage)).id } }),
      },
    ],
    refuses: [{ it: 'an unknown id', send: {}, code: 'redemptions.unknown' }],
  },
]

export const redemptionsRoom: Room = {
  subject: 'redemption codes',
  dependsOnSql: true,
  prepare: async (stage) => {
    const spent = await create(stage, { name: 'spent' })
    used = spent.id
    await stage.callers.user.post('/api/user/topup', { key: spent.key })
    ;({ id } = await create(stage))
  },
  calls,
  stories: [
    {
      it: 'pages from 1, newest first, and tells the page that it is',
      run: async ({ callers: { admin } }) => {
        const page = (query: string) =>
          admin.get<{ items: Row[]; page: number; total: number }>(`/api/redemption/?${query}`)
        const first = await page('p=0&page_size=2')
        expect(first).toMatchObject({ page: 1, page_size: 2 })
        expect(await page('p=1&page_size=2')).toEqual(first)
        const second = await page('p=2&page_size=2')
        expect(second.items[0]!.id).toBeLessThan(first.items[1]!.id)
        expect(await page('page_size=0')).toMatchObject({ page_size: 10 })
        expect(await page('page_size=5000')).toMatchObject({ page_size: 100 })
      },
    },
    {
      it: 'finds by the beginning of the name or by the id',
      run: async (stage) => {
        const search = async (keyword: string) => {
          const query = new URLSearchParams({ keyword, p: '1', page_size: '100' })
          const path = `/api/redemption/search?${query.toString()}`
          return (await stage.callers.admin.get<{ items: Row[] }>(path)).items.map(
            ({ name }) => name,
          )
        }
        const row = await create(stage, { name: 'Spring gift' })
        expect(await search('spring')).toEqual(['Spring gift'])
        expect(await search('gift')).toEqual([])
        expect(await search('%gift')).toEqual([])
        expect(await search(String(row.id))).toContain('Spring gift')
      },
    },
    {
      it: 'tells who used a code and when, and redeems no deleted one',
      run: async (stage) => {
        const { admin, user } = stage.callers
        expect(await admin.get(`/api/redemption/${used}`)).toMatchObject({
          status: 3,
          used_user_id: user.userId,
          redeemed_time: expect.any(Number),
        })
        const gone = await create(stage)
        await admin.delete(`/api/redemption/${gone.id}/`)
        expect(await user.call('POST', '/api/user/topup', { key: gone.key })).toMatchObject({
          success: false,
          code: 'redemptions.code_unknown',
        })
      },
    },
  ],
}
