// Part 1, 4.7: user management, and who may act on whom (1.4).
import { Type } from '@sinclair/typebox'
import { expect } from 'vitest'
import type { ApiClient } from '../../harness/api-client.ts'
import { int, paged, userRecord } from '../shapes.ts'
import { stagePassword, type Stage } from '../stage.ts'
import type { Call, CallerName, Room } from '../table.ts'

let ada: ApiClient
let rival: ApiClient

const idOf = { ada: () => ada.userId, rival: () => rival.userId, nobody: () => 999_999 }
const target = (name: keyof typeof idOf) => ({ path: { id: idOf[name]() } })
const act = (action: string, name: keyof typeof idOf) => () => ({
  body: { id: idOf[name](), action },
})

const reading: readonly Call[] = [
  {
    method: 'GET',
    path: '/api/user/',
    access: 'admin',
    answers: [
      {
        it: 'answers full records with p=0 as the first page',
        send: { query: { p: 0 } },
        data: paged(userRecord),
      },
      { it: 'answers without any query', data: paged(userRecord) },
    ],
  },
  {
    method: 'GET',
    path: '/api/user/search',
    access: 'admin',
    answers: [
      {
        it: 'answers by keyword and group',
        send: { query: { keyword: 'ada', group: '', p: 1, page_size: 10 } },
        data: paged(userRecord),
      },
    ],
  },
  {
    method: 'GET',
    path: '/api/user/{id}',
    access: 'admin',
    answers: [{ it: 'answers one record', send: () => target('ada'), data: userRecord }],
    refuses: [
      { it: 'an unknown id', send: () => target('nobody'), code: 'users.unknown' },
      {
        it: 'an admin that asks for an admin',
        send: () => target('rival'),
        code: 'users.role_refused',
      },
      {
        it: 'an id that is no number',
        send: { path: { id: 'x1' } },
        code: 'request.invalid_field',
        says: /id/,
      },
    ],
  },
]

const writing: readonly Call[] = [
  {
    method: 'POST',
    path: '/api/user/',
    access: 'admin',
    probe: { body: {} },
    answers: [
      {
        it: 'makes a normal user',
        send: { body: { username: 'made', display_name: '', password: stagePassword } },
      },
    ],
    refuses: [
      {
        it: 'an empty user name (spec: username and password cannot be empty)',
        send: { body: { username: '', password: stagePassword } },
        code: 'users.incomplete',
        says: /user name and the password cannot be empty/,
      },
      {
        it: 'an empty password',
        send: { body: { username: 'x', password: '' } },
        code: 'users.incomplete',
      },
      {
        it: 'a short password',
        send: { body: { username: 'x', password: '1234567' } },
        code: 'account.invalid_password',
        says: /at least 8/,
      },
      {
        it: 'a role at the own level',
        send: { body: { username: 'x', password: stagePassword, role: 10 } },
        code: 'users.role_too_high',
      },
      {
        it: 'a name that is taken',
        send: { body: { username: 'ada', password: stagePassword } },
        code: 'account.username_taken',
      },
    ],
  },
  {
    method: 'PUT',
    path: '/api/user/',
    access: 'admin',
    probe: { body: { id: 999_999 } },
    answers: [
      {
        it: 'takes whole records; a blank password is unchanged',
        send: async ({ callers: { admin } }) => {
          const record = await admin.get<Record<string, unknown>>(`/api/user/${ada.userId}`)
          return { body: { ...record, password: '', quota: 700 } }
        },
      },
    ],
    refuses: [
      {
        it: 'a missing id',
        send: { body: { username: 'x' } },
        code: 'request.invalid_field',
        says: /id/,
      },
      { it: 'an unknown id', send: { body: { id: 999_999 } }, code: 'users.unknown' },
      {
        it: 'a quota below 0',
        send: () => ({ body: { id: ada.userId, quota: -1 } }),
        code: 'users.quota_negative',
      },
      {
        it: 'a group without a ratio',
        send: () => ({ body: { id: ada.userId, group: 'nowhere' } }),
        code: 'users.group_unknown',
      },
      { it: 'a rival', send: () => ({ body: { id: rival.userId } }), code: 'users.role_refused' },
      {
        it: 'a role that an admin cannot give',
        send: () => ({ body: { id: ada.userId, role: 10 } }),
        code: 'users.role_too_high',
      },
    ],
  },
]

const acting: readonly Call[] = [
  {
    method: 'POST',
    path: '/api/user/manage',
    access: 'admin',
    probe: { body: { id: 999_999, action: 'enable' } },
    answers: [
      {
        it: 'answers role and status after the action',
        send: act('enable', 'ada'),
        data: Type.Object({ role: int, status: int }),
      },
    ],
    refuses: [
      { it: 'an unknown action', send: act('sing', 'ada'), code: 'users.action_unknown' },
      { it: 'an unknown id', send: act('disable', 'nobody'), code: 'users.unknown' },
      {
        it: 'id 0',
        send: { body: { id: 0, action: 'disable' } },
        code: 'request.invalid_field',
        says: /id/,
      },
      {
        it: 'a missing id',
        send: { body: { action: 'disable' } },
        code: 'request.invalid_field',
        says: /id/,
      },
      {
        it: 'an admin that promotes',
        send: act('promote', 'ada'),
        code: 'users.only_super_promotes',
      },
      {
        it: 'an admin that demotes a user',
        send: act('demote', 'ada'),
        code: 'users.already_normal',
      },
      {
        it: 'an admin that acts on an admin',
        send: act('disable', 'rival'),
        code: 'users.role_refused',
      },
    ],
  },
  {
    method: 'DELETE',
    path: '/api/user/{id}',
    access: 'admin',
    answers: [
      {
        it: 'removes for good and answers the envelope',
        send: async ({ account }) => ({ path: { id: (await account('removed')).userId } }),
      },
    ],
    refuses: [
      { it: 'an unknown id', send: () => target('nobody'), code: 'users.unknown' },
      { it: 'a rival', send: () => target('rival'), code: 'users.role_refused' },
      {
        it: 'a super admin, whoever asks',
        send: ({ callers }) => ({ by: 'root', path: { id: callers.root.userId } }),
        code: 'users.role_refused',
      },
    ],
  },
]

interface Page {
  items: { id: number; username: string; DeletedAt: string | null }[]
  total: number
  page: number
  page_size: number
}

const search = (stage: Stage, query: string) =>
  stage.callers.admin.get<Page>(`/api/user/search?${query}`)

const manage = (stage: Stage, by: CallerName, id: number, action: string) =>
  stage.callers[by].call('POST', '/api/user/manage', { id, action })

export const usersRoom: Room = {
  subject: 'user management',
  dependsOnSql: true,
  prepare: async (stage) => {
    ada = await stage.account('ada')
    rival = await stage.account('rival', 'admin')
  },
  calls: [...reading, ...writing, ...acting],
  stories: [
    {
      it: 'pages from 1, newest first, at most 100 rows; what cannot be read is the default',
      run: async ({ callers: { admin } }) => {
        const page = (query: string) => admin.get<Page>(`/api/user/?${query}`)
        const first = await page('p=0&page_size=2')
        expect(first).toMatchObject({ page: 1, page_size: 2 })
        expect(first.items).toHaveLength(2)
        expect(first.items[0]!.id).toBeGreaterThan(first.items[1]!.id)
        const second = await page('p=2&page_size=2')
        expect(second.items[0]!.id).toBeLessThan(first.items[1]!.id)
        expect(await page('p=-3&page_size=-1')).toMatchObject({ page: 1, page_size: 10 })
        expect(await page('p=NaN&page_size=undefined')).toMatchObject({ page: 1, page_size: 10 })
        expect(await page('page_size=0')).toMatchObject({ page_size: 10 })
        expect(await page('page_size=100000')).toMatchObject({ page_size: 100 })
        expect(await page('p=900')).toMatchObject({ items: [], total: first.total })
      },
    },
    {
      it: 'finds part of a name in any case, or the id; % and _ are letters; groups are exact',
      run: async (stage) => {
        const found = async (query: string) =>
          (await search(stage, query)).items.map(({ username }) => username)
        expect(await found('keyword=ADA')).toContain('ada')
        expect(await found(`keyword=${ada.userId}`)).toContain('ada')
        expect(await found('keyword=%25')).toEqual([])
        expect(await found('keyword=a_a')).toEqual([])
        expect(await found('keyword=ada&group=default')).toContain('ada')
        expect(await found('keyword=ada&group=defaul')).toEqual([])
      },
    },
    {
      it: 'writes what an edit sends, keeps what it leaves out, and logs the quota',
      run: async ({ callers: { admin } }) => {
        await admin.put('/api/user/', { id: ada.userId, display_name: 'Ada L.', group: 'vip' })
        await admin.put('/api/user/', { id: ada.userId, quota: 12_345 })
        expect(await admin.get(`/api/user/${ada.userId}`)).toMatchObject({
          username: 'ada',
          display_name: 'Ada L.',
          group: 'vip',
          quota: 12_345,
        })
        const { items } = await admin.get<{ items: { content: string }[] }>(
          '/api/log/?type=3&username=ada',
        )
        expect(items.some(({ content }) => content.includes('contract-admin'))).toBe(true)
      },
    },
    {
      it: 'lets the super admin promote and demote, and nobody touch him',
      run: async (stage) => {
        const { root, admin } = stage.callers
        const { userId } = await stage.account('rises')
        expect(await manage(stage, 'root', userId, 'promote')).toMatchObject({ data: { role: 10 } })
        expect(await manage(stage, 'root', userId, 'promote')).toMatchObject({
          code: 'users.already_admin',
        })
        expect(await manage(stage, 'root', userId, 'demote')).toMatchObject({ data: { role: 1 } })
        for (const action of ['disable', 'delete', 'demote'])
          expect(await manage(stage, 'root', root.userId, action)).toMatchObject({
            success: false,
            code: 'users.super_untouchable',
          })
        expect(await manage(stage, 'admin', root.userId, 'disable')).toMatchObject({
          code: 'users.role_refused',
        })
        expect(admin.userId).not.toBe(root.userId)
      },
    },
    {
      it: 'ends sessions with a ban, and makes a deletion irreversible',
      run: async (stage) => {
        const client = await stage.account('outlawed')
        const { userId } = client
        const banned = await manage(stage, 'admin', userId, 'disable')
        expect(banned.data).toMatchObject({ role: 1, status: 2 })
        expect((await client.call('GET', '/api/user/self')).status).toBe(401)
        expect((await manage(stage, 'admin', userId, 'enable')).data).toMatchObject({ status: 1 })
        expect(await manage(stage, 'admin', userId, 'delete')).toMatchObject({ success: true })
        const { items } = await search(stage, 'keyword=outlawed')
        expect(items).toMatchObject([{ id: userId, DeletedAt: expect.any(String) }])
        for (const action of ['enable', 'delete'])
          expect(await manage(stage, 'admin', userId, action)).toMatchObject({
            code: 'users.deleted',
          })
        expect(await stage.callers.admin.call('GET', `/api/user/${userId}`)).toMatchObject({
          code: 'users.unknown',
        })
      },
    },
  ],
}
