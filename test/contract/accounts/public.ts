// Part 1, 4.1 and 4.2: what everybody may read, and the setup once it is done.
import { Type } from '@sinclair/typebox'
import { expect } from 'vitest'
import defaults from '../option-defaults.json' with { type: 'json' }
import { status, text } from '../shapes.ts'
import type { Room } from '../table.ts'

const page = (path: string, key: string) => ({
  method: 'GET' as const,
  path,
  access: 'public' as const,
  answers: [{ it: `answers the text of ${key}, never null`, data: text }],
})

/** Part 1, 9: an option, a value of it, and what the status then says. */
const statusFields: readonly (readonly [keyof typeof defaults, string, string, unknown])[] = [
  ['GitHubClientId', 'hub', 'github_client_id', 'hub'],
  ['LinuxDOClientId', 'do', 'linuxdo_client_id', 'do'],
  ['TelegramBotName', 'a_bot', 'telegram_bot_name', 'a_bot'],
  ['oidc.client_id', 'oidc', 'oidc_client_id', 'oidc'],
  [
    'oidc.authorization_endpoint',
    'https://o.example/a',
    'oidc_authorization_endpoint',
    'https://o.example/a',
  ],
  [
    'WeChatAccountQRCodeImageURL',
    'https://w.example/q.png',
    'wechat_qrcode',
    'https://w.example/q.png',
  ],
  ['TurnstileSiteKey', 'site', 'turnstile_site_key', 'site'],
  ['SystemName', 'Ours', 'system_name', 'Ours'],
  ['Logo', 'https://l.example/l.png', 'logo', 'https://l.example/l.png'],
  ['Footer', '<i>f</i>', 'footer_html', '<i>f</i>'],
  ['ServerAddress', 'https://s.example', 'server_address', 'https://s.example'],
  ['TopUpLink', 'https://t.example', 'top_up_link', 'https://t.example'],
  ['general_setting.docs_link', 'https://d.example', 'docs_link', 'https://d.example'],
  ['general_setting.monitor_link', 'https://m.example', 'monitor_link', 'https://m.example'],
  [
    'general_setting.token_query_link',
    'https://q.example',
    'token_query_link',
    'https://q.example',
  ],
  ['ChatLink', 'https://c.example', 'chat_link', 'https://c.example'],
  ['Chats', '[{"a":"https://a.example"}]', 'chats', [{ a: 'https://a.example' }]],
  ['RegisterEnabled', 'false', 'register_enabled', false],
  ['PasswordRegisterEnabled', 'false', 'password_register_enabled', false],
  ['Price', '6.5', 'price', 6.5],
  ['MinTopUp', '4', 'min_topup', 4],
  ['QuotaPerUnit', '1000', 'quota_per_unit', 1000],
  ['DisplayInCurrencyEnabled', 'false', 'display_in_currency', false],
  ['DrawingEnabled', 'false', 'enable_drawing', false],
  ['TaskEnabled', 'false', 'enable_task', false],
  ['DataExportEnabled', 'false', 'enable_data_export', false],
  ['DataExportDefaultTime', 'day', 'data_export_default_time', 'day'],
  ['DefaultCollapseSidebar', 'true', 'default_collapse_sidebar', true],
  ['MjNotifyEnabled', 'true', 'mj_notify_enabled', true],
  ['DemoSiteEnabled', 'true', 'demo_site_enabled', true],
  ['SelfUseModeEnabled', 'true', 'self_use_mode_enabled', true],
]

export const publicRoom: Room = {
  subject: 'what everybody may read',
  calls: [
    {
      method: 'GET',
      path: '/api/status',
      access: 'public',
      answers: [{ it: 'answers every field with its type', data: status }],
    },
    {
      method: 'GET',
      path: '/api/status/test',
      access: 'admin',
      answers: [{ it: 'says that the server runs', message: /^Server is running$/ }],
    },
    page('/api/notice', 'Notice'),
    page('/api/about', 'About'),
    page('/api/home_page_content', 'HomePageContent'),
    {
      method: 'GET',
      path: '/api/setup',
      access: 'public',
      answers: [
        {
          it: 'is done',
          data: Type.Object({
            status: Type.Literal(true),
            root_init: Type.Literal(false),
            database_type: Type.Literal(''),
          }),
        },
      ],
    },
    {
      method: 'POST',
      path: '/api/setup',
      access: 'public',
      refuses: [
        {
          it: 'a second setup before it looks at the body',
          send: { body: { username: 7 } },
          code: 'setup.done',
        },
      ],
    },
  ],
  stories: [
    {
      // Part 1, 10, but for the shipped tables.
      it: 'has the documented default of every option',
      run: async ({ callers: { admin } }) => {
        const answer = await admin.call<{ key: string; value: string }[]>('GET', '/api/option/')
        const values = new Map(answer.data.map(({ key, value }) => [key, value]))
        const plain = (value: string | undefined): unknown =>
          value !== undefined && /^[[{]/.test(value) ? JSON.parse(value) : value
        for (const [key, value] of Object.entries(defaults))
          expect(plain(values.get(key)), key).toEqual(plain(value))
        expect(answer.body['secrets_set']).toEqual([])
      },
    },
    {
      it: 'has the documented defaults in the status',
      run: async ({ callers: { anonymous } }) => {
        expect(await anonymous.get('/api/status')).toMatchObject({
          system_name: 'Tollgate',
          price: 7.3,
          min_topup: 1,
          quota_per_unit: 500_000,
          display_in_currency: true,
          enable_drawing: true,
          enable_task: true,
          enable_data_export: true,
          data_export_default_time: 'hour',
          password_login_enabled: true,
          password_register_enabled: true,
          register_enabled: true,
          mj_notify_enabled: false,
          server_address: '',
          docs_link: '',
        })
      },
    },
    {
      it: 'gives the pages and the links as they were saved',
      run: async ({ option, callers: { anonymous } }) => {
        const written = { Notice: '**hi**', About: 'https://about.example', HomePageContent: '' }
        for (const [key, value] of Object.entries(written)) await option(key, value)
        expect(await anonymous.get('/api/notice')).toBe('**hi**')
        expect(await anonymous.get('/api/about')).toBe('https://about.example')
        expect(await anonymous.get('/api/home_page_content')).toBe('')
        await option('Chats', '[{"Desk":"https://chat.example/?key={key}"}]')
        await option('ChatLink', 'https://chat.example')
        await option('TopUpLink', 'https://shop.example')
        await option('Footer', '<b>us</b>')
        expect(await anonymous.get('/api/status')).toMatchObject({
          chats: [{ Desk: 'https://chat.example/?key={key}' }],
          chat_link: 'https://chat.example',
          top_up_link: 'https://shop.example',
          footer_html: '<b>us</b>',
          setup: true,
        })
      },
    },
    {
      it: 'says that nobody signs in by password, while there is another way',
      run: async ({ option, callers: { anonymous } }) => {
        await option('WeChatServerAddress', 'https://wechat.example')
        await option('WeChatAuthEnabled', 'true')
        await option('PasswordLoginEnabled', 'false')
        expect(await anonymous.get('/api/status')).toMatchObject({ password_login_enabled: false })
        await option('PasswordLoginEnabled', 'true')
        await option('WeChatAuthEnabled', 'false')
        await option('WeChatServerAddress', '')
      },
    },
    {
      it: 'tells in the status what is saved',
      run: async ({ option, callers: { anonymous } }) => {
        for (const [key, value, field, shown] of statusFields) {
          await option(key, value)
          const { [field]: now } = await anonymous.get<Record<string, unknown>>('/api/status')
          expect(now, field).toEqual(shown)
          await option(key, defaults[key])
        }
      },
    },
  ],
}
