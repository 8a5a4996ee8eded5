// Part 1, 4.8, 4.9 and 4.12: groups, models, options and plugins.
import { Type } from '@sinclair/typebox'
import { expect, vi } from 'vitest'
import { badOptionValues } from './bad-option-values.ts'
import { mapOf, names, pluginRow, text } from '../shapes.ts'
import type { Stage } from '../stage.ts'
import type { Call, Room } from '../table.ts'

const put = (stage: Stage, key: string, value?: unknown) =>
  stage.callers.admin.call('PUT', '/api/option/', { key, value })

async function valueOf(stage: Stage, key: string): Promise<string | undefined> {
  const rows = await stage.callers.admin.get<{ key: string; value: string }[]>('/api/option/')
  return rows.find((row) => row.key === key)?.value
}

/** Part 1, 4.9: each switch with what it needs first. */
const preconditions = [
  ['GitHubOAuthEnabled', 'GitHubClientId'],
  ['oidc.enabled', 'oidc.client_id'],
  ['LinuxDOOAuthEnabled', 'LinuxDOClientId'],
  ['WeChatAuthEnabled', 'WeChatServerAddress'],
  ['TelegramOAuthEnabled', 'TelegramBotToken'],
  ['TurnstileCheckEnabled', 'TurnstileSiteKey'],
] as const

const optionCalls: readonly Call[] = [
  {
    method: 'GET',
    path: '/api/option/',
    access: 'admin',
    answers: [
      {
        it: 'answers keys and texts, and which secrets are set',
        data: Type.Array(Type.Object({ key: text, value: text })),
        beside: { secrets_set: names },
      },
    ],
  },
  {
    method: 'PUT',
    path: '/api/option/',
    access: 'admin',
    probe: { body: { key: 'RetryTimes' } },
    answers: [
      { it: 'takes a text', send: { body: { key: 'RetryTimes', value: '2' } } },
      { it: 'takes a number', send: { body: { key: 'RetryTimes', value: 1 } } },
      { it: 'takes a boolean', send: { body: { key: 'DefaultCollapseSidebar', value: true } } },
      { it: 'takes no value as no change', send: { body: { key: 'TelegramBotToken' } } },
    ],
    refuses: [
      { it: 'no key', send: { body: { value: 'x' } }, code: 'request.invalid_field', says: /key/ },
      {
        it: 'what is no key',
        send: { body: { key: 'a b', value: 'x' } },
        code: 'options.unknown_key',
      },
      {
        it: 'a key that it does not know',
        send: { body: { key: 'Some.New_key1', value: 'x' } },
        code: 'options.unknown_key',
        says: /Some\.New_key1/,
      },
      ...preconditions.map(([key, needs]) => ({
        it: `${key} before ${needs}`,
        send: { body: { key, value: 'true' } },
        code: 'options.precondition',
        says: new RegExp(needs),
      })),
      ...badOptionValues.map(([key, value]) => ({
        it: `${key} = ${value}, and names the key`,
        send: { body: { key, value } },
        code: 'options.invalid_value',
        says: new RegExp(key),
      })),
    ],
  },
  {
    method: 'POST',
    path: '/api/option/rest_model_ratio',
    access: 'admin',
    answers: [{ it: 'says what it did', message: /reset/ }],
  },
]

const pluginCalls: readonly Call[] = [
  {
    method: 'GET',
    path: '/api/plugin/',
    access: 'admin',
    answers: [{ it: 'answers a row for each', data: Type.Array(pluginRow) }],
  },
  {
    method: 'PUT',
    path: '/api/plugin/',
    access: 'admin',
    probe: { body: { id: 'no-such-plugin', enabled: true } },
    answers: [
      {
        it: 'answers the row when the new generation serves',
        send: { body: { id: 'chat-links', enabled: true } },
        data: pluginRow,
      },
    ],
    refuses: [
      {
        it: 'an unknown plugin',
        send: { body: { id: 'none', enabled: true } },
        code: 'plugins.unknown',
      },
      {
        it: 'a flag that is no flag',
        send: { body: { id: 'chat-links', enabled: 'true' } },
        code: 'request.invalid_field',
        says: /enabled/,
      },
      { it: 'no id', send: { body: { enabled: true } }, code: 'request.invalid_field', says: /id/ },
      {
        it: 'to switch off what signs the super admin in',
        send: { body: { id: 'auth-password', enabled: false } },
        code: 'plugins.essential',
      },
    ],
  },
  {
    method: 'GET',
    path: '/api/plugin/{id}',
    access: 'admin',
    probe: { path: { id: 'chat-links' } },
    answers: [
      {
        it: 'adds the schema of the options',
        send: { path: { id: 'chat-links' } },
        data: Type.Intersect([pluginRow, Type.Object({ schema: Type.Object({}) })]),
      },
    ],
    refuses: [{ it: 'an unknown plugin', send: { path: { id: 'none' } }, code: 'plugins.unknown' }],
  },
  {
    method: 'GET',
    path: '/api/plugin/console',
    access: 'public',
    answers: [
      {
        it: 'answers what a console loads',
        data: Type.Array(Type.Object({ id: text, module: Type.Union([text, Type.Null()]) })),
      },
    ],
  },
]

const jsonOptions =
  'ModelRatio ModelPrice CacheRatio CompletionRatio GroupRatio UserUsableGroups TopupGroupRatio Chats ' +
  'claude.model_headers_settings claude.default_max_tokens gemini.safety_settings gemini.version_settings'

export const optionsRoom: Room = {
  subject: 'options, groups and plugins',
  calls: [
    {
      method: 'GET',
      path: '/api/group/',
      access: 'admin',
      answers: [{ it: 'answers names', data: names }],
    },
    {
      method: 'GET',
      path: '/api/models',
      access: 'user',
      answers: [{ it: 'answers model names by channel type', data: mapOf(names) }],
    },
    ...optionCalls,
    ...pluginCalls,
  ],
  stories: [
    {
      it: 'lists default first and the other groups by name; one that is new exists at once',
      run: async (stage) => {
        await stage.option('GroupRatio', '{"vip":1,"default":1,"svip":1,"gold":0.5}')
        const groups = await stage.callers.admin.get('/api/group/')
        expect(groups).toEqual(['default', 'gold', 'svip', 'vip'])
      },
    },
    {
      it: 'sends all 38 channel types of the specification, empty lists included',
      run: async ({ callers: { user } }) => {
        const types = await user.get<Record<string, string[]>>('/api/models')
        const wanted =
          '1 2 3 4 5 8 11 14 15 16 17 18 19 20 21 22 23 24 25 26 31 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49'
        for (const type of wanted.split(' ')) expect(types[type], type).toBeInstanceOf(Array)
      },
    },
    {
      it: 'sorts options by key and shows what was saved',
      run: async (stage) => {
        const rows = await stage.callers.admin.get<{ key: string }[]>('/api/option/')
        const keys = rows.map(({ key }) => key)
        expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)))
        expect(await valueOf(stage, 'RetryTimes')).toBe('1')
        expect(await valueOf(stage, 'DefaultCollapseSidebar')).toBe('true')
      },
    },
    {
      it: 'holds valid JSON wherever older consoles parse without asking',
      run: async (stage) => {
        for (const key of jsonOptions.split(' ')) {
          const value = (await valueOf(stage, key)) ?? ''
          expect(JSON.parse(value), key).toBeTypeOf('object')
        }
      },
    },
    {
      it: 'never shows a secret; nothing keeps it, an empty text erases it',
      run: async (stage) => {
        const secrets = async () =>
          (await stage.callers.admin.call('GET', '/api/option/')).body['secrets_set']
        await put(stage, 'TelegramBotToken', '123456:SECRET')
        const { body } = await stage.callers.admin.call('GET', '/api/option/')
        expect(JSON.stringify(body)).not.toContain('123456:SECRET')
        await put(stage, 'TelegramBotToken')
        expect(await secrets()).toContain('TelegramBotToken')
        await put(stage, 'TelegramBotToken', '')
        expect(await secrets()).not.toContain('TelegramBotToken')
      },
    },
    {
      it: 'shows the site key of the bot check, which is no secret',
      run: async (stage) => {
        await put(stage, 'TurnstileSiteKey', 'public')
        expect(await valueOf(stage, 'TurnstileSiteKey')).toBe('public')
        expect(await put(stage, 'TurnstileCheckEnabled', 'true')).toMatchObject({
          code: 'options.precondition',
          message: expect.stringContaining('TurnstileSecretKey'),
        })
        await put(stage, 'EmailDomainWhitelist', '')
        expect(await put(stage, 'EmailDomainRestrictionEnabled', 'true')).toMatchObject({
          code: 'options.precondition',
        })
      },
    },
    {
      it: 'keeps one way to sign in for others than the super admin, and the plugin that brings it',
      run: async (stage) => {
        const off = { code: 'sign_in.no_way_in', success: false }
        expect(await put(stage, 'PasswordLoginEnabled', 'false')).toMatchObject(off)
        await put(stage, 'WeChatServerAddress', 'https://wechat.example')
        await stage.option('WeChatAuthEnabled', 'true')
        await stage.option('PasswordLoginEnabled', 'false')
        expect(await put(stage, 'WeChatAuthEnabled', 'false')).toMatchObject(off)
        const body = { id: 'auth-wechat', enabled: false }
        expect(await stage.callers.admin.call('PUT', '/api/plugin/', body)).toMatchObject(off)
        await stage.option('PasswordLoginEnabled', 'true')
        await stage.option('WeChatAuthEnabled', 'false')
        await put(stage, 'WeChatServerAddress', '')
      },
    },
    {
      it: 'takes slashes off the ends of addresses',
      run: async (stage) => {
        const keys = ['ServerAddress', 'WorkerUrl', 'PayAddress', 'CustomCallbackAddress']
        for (const key of [...keys, 'WeChatServerAddress']) {
          await put(stage, key, 'https://x.example//')
          expect(await valueOf(stage, key), key).toBe('https://x.example')
          await put(stage, key, '')
        }
      },
    },
    {
      it: 'refuses an address behind which no path can be put',
      run: async (stage) => {
        for (const key of ['ServerAddress', 'CustomCallbackAddress'])
          for (const end of ['?site=1', '/#/login'])
            expect(await put(stage, key, `https://x.example${end}`), key).toMatchObject({
              code: 'options.invalid_value',
              message: expect.stringContaining('no ? and no #'),
            })
      },
    },
    {
      it: 'saves a choice of words',
      run: async (stage) => {
        await stage.option('DataExportDefaultTime', 'week')
        expect(await valueOf(stage, 'DataExportDefaultTime')).toBe('week')
        expect(await stage.callers.anonymous.get('/api/status')).toMatchObject({
          data_export_default_time: 'week',
        })
      },
    },
    {
      it: 'keeps the value that it had when a new one is refused',
      run: async (stage) => {
        const before = await valueOf(stage, 'GroupRatio')
        await put(stage, 'GroupRatio', '{"default":')
        expect(await valueOf(stage, 'GroupRatio')).toBe(before)
      },
    },
    {
      it: 'answers 400 with the envelope to JSON that is broken, and only here',
      run: async ({ app, callers: { admin } }) => {
        const send = (path: string) =>
          fetch(app.url + path, {
            method: 'PUT',
            headers: {
              'content-type': 'application/json',
              cookie: admin.sessionCookie,
              'New-API-User': String(admin.userId),
            },
            body: '{"key":',
          })
        const answers = await Promise.all(['/api/option/', '/api/option', '/api/user/'].map(send))
        expect(answers.map(({ status }) => status)).toEqual([400, 400, 200])
        for (const answer of answers) expect(await answer.json()).toMatchObject({ success: false })
      },
    },
    {
      it: 'logs who changed which option, never to what',
      run: async (stage) => {
        await put(stage, 'SystemName', 'Unheard-of')
        const items = await vi.waitFor(async () => {
          const page = await stage.callers.admin.get<{ items: { content: string }[] }>(
            '/api/log/?type=3&page_size=100&username=contract-admin',
          )
          expect(page.items.some(({ content }) => content.includes('SystemName'))).toBe(true)
          return page.items
        }, 10_000)
        expect(JSON.stringify(items)).not.toContain('Unheard-of')
        await put(stage, 'SystemName', 'Tollgate')
      },
    },
    {
      it: 'puts the shipped ratios back, and no other map',
      run: async (stage) => {
        const shipped = await valueOf(stage, 'ModelRatio')
        await put(stage, 'ModelRatio', '{"x":1}')
        await put(stage, 'ModelPrice', '{"y":2}')
        await stage.callers.admin.post('/api/option/rest_model_ratio')
        expect(await valueOf(stage, 'ModelRatio')).toBe(shipped)
        expect(await valueOf(stage, 'ModelPrice')).toBe('{"y":2}')
      },
    },
  ],
}
