// Part 1, 4.1 and 4.2: what everybody may read, and the setup once it is done.
import { Type } from '@sinclair/typebox'
import { expect } from 'vitest'
import { status, text } from '../shapes.ts'
import type { Room } from '../table.ts'

const page = (path: string, key: string) => ({
  method: 'GET' as const,
  path,
  access: 'public' as const,
  answers: [{ it: `answers the text of ${key}, never null`, data: text }],
})

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
  ],
}
