// Part 1, 4.5: everybody's own account, wallet apart.
import { Type } from '@sinclair/typebox'
import { expect } from 'vitest'
import { ApiClient } from '../../harness/api-client.ts'
import { groupOffers, names, userRecord } from '../shapes.ts'
import { stagePassword } from '../stage.ts'
import type { Room } from '../table.ts'

const webhook = {
  notify_type: 'webhook',
  quota_warning_threshold: 500_000,
  webhook_url: 'https://hooks.example/x',
  webhook_secret: 'whsec',
  notification_email: '',
  accept_unset_model_ratio_model: false,
}

export const ownAccountRoom: Room = {
  subject: 'the own account',
  calls: [
    {
      method: 'GET',
      path: '/api/user/self',
      access: 'user',
      answers: [{ it: 'answers the whole record', data: userRecord }],
    },
    {
      method: 'PUT',
      path: '/api/user/self',
      access: 'user',
      probe: { body: {} },
      answers: [
        {
          it: 'takes the whole record with fields that it ignores',
          send: { body: { id: 1, display_name: 'Mine', role: 100, quota: 9e9, group: 'vip' } },
        },
      ],
      refuses: [
        {
          it: 'a new password without the old one (spec; v0.6 had no such check)',
          send: { body: { password: 'new password' } },
          code: 'personal.original_password_missing',
        },
        {
          it: 'a new password with a wrong old one',
          send: { body: { password: 'new password', original_password: 'not it' } },
          code: 'personal.original_password_wrong',
        },
        {
          it: 'the old password as the new one',
          send: { body: { password: stagePassword, original_password: stagePassword } },
          code: 'personal.same_password',
        },
        {
          it: 'a short password',
          send: { body: { password: '1234567', original_password: stagePassword } },
          code: 'account.invalid_password',
          says: /at least 8/,
        },
        {
          it: 'a user name that is taken',
          send: { body: { username: 'contract-admin' } },
          code: 'account.username_taken',
        },
        {
          it: 'a field of another type, by its name',
          send: { body: { username: 7 } },
          code: 'request.invalid_field',
          says: /username/,
        },
      ],
    },
    {
      method: 'DELETE',
      path: '/api/user/self',
      access: 'user',
      endsCaller: true,
      refuses: [{ it: 'the super admin', send: { by: 'root' }, code: 'personal.super_stays' }],
    },
    {
      method: 'GET',
      path: '/api/user/token',
      access: 'user',
      answers: [
        { it: 'answers the token itself', data: Type.String({ pattern: '^[0-9a-zA-Z]{32}$' }) },
      ],
    },
    {
      method: 'GET',
      path: '/api/user/models',
      access: 'user',
      answers: [{ it: 'answers names, never null', data: names }],
    },
    {
      method: 'GET',
      path: '/api/user/self/groups',
      access: 'user',
      answers: [{ it: 'answers ratio and description by group', data: groupOffers }],
    },
    {
      method: 'GET',
      path: '/api/user/groups',
      access: 'public',
      answers: [{ it: 'answers what a visitor may use', data: groupOffers }],
    },
    {
      method: 'PUT',
      path: '/api/user/setting',
      access: 'user',
      probe: { body: { notify_type: 'email' } },
      answers: [{ it: 'takes all six fields', send: { body: webhook }, message: /saved/ }],
      refuses: [
        {
          it: 'an unknown notification type',
          send: { body: { ...webhook, notify_type: 'pigeon' } },
          code: 'personal.notify_type',
        },
        {
          it: 'a threshold of 0',
          send: { body: { ...webhook, quota_warning_threshold: 0 } },
          code: 'personal.quota_warning_threshold',
        },
        {
          it: 'a webhook without its address',
          send: { body: { ...webhook, webhook_url: '' } },
          code: 'personal.webhook_missing',
        },
        {
          it: 'a webhook over http (spec)',
          send: { body: { ...webhook, webhook_url: 'http://hooks.example/x' } },
          code: 'personal.webhook_not_https',
          says: /https/,
        },
        {
          it: 'a notification address without @',
          send: { body: { notify_type: 'email', notification_email: 'nobody' } },
          code: 'personal.notification_email',
        },
      ],
    },
    {
      method: 'GET',
      path: '/api/user/aff',
      access: 'user',
      answers: [
        { it: 'answers the own invite code', data: Type.String({ pattern: '^[0-9a-zA-Z]{4,}$' }) },
      ],
    },
    {
      method: 'POST',
      path: '/api/user/aff_transfer',
      access: 'user',
      probe: { body: { quota: 1 } },
      refuses: [
        {
          it: 'an amount as text like the amount',
          send: { body: { quota: '499999' } },
          code: 'personal.transfer_minimum',
        },
        {
          it: 'less than QuotaPerUnit',
          send: { body: { quota: 499_999 } },
          code: 'personal.transfer_minimum',
          says: /transfer amount minimum is/,
        },
        {
          it: 'more than was earned',
          send: { body: { quota: 500_000 } },
          code: 'account.aff_quota_insufficient',
        },
        {
          it: 'a body without quota',
          send: { body: {} },
          code: 'request.invalid_field',
          says: /quota/,
        },
      ],
    },
  ],
  stories: [
    {
      it: 'keeps the fields of the other notification type, and gives the own secret back',
      run: async ({ callers: { user } }) => {
        await user.put('/api/user/setting', webhook)
        await user.put('/api/user/setting', { notify_type: 'email', quota_warning_threshold: 7 })
        const { setting } = await user.get<{ setting: string }>('/api/user/self')
        expect(JSON.parse(setting)).toMatchObject({
          ...webhook,
          notify_type: 'email',
          quota_warning_threshold: 7,
        })
      },
    },
    {
      it: 'lets only the newest access token in, with and without Bearer',
      run: async ({ app, callers: { user } }) => {
        const read = (authorization: string) =>
          fetch(`${app.url}/api/user/self`, {
            headers: { authorization, 'New-Api-User': String(user.userId) },
          })
        const old = await user.get<string>('/api/user/token')
        const token = await user.get<string>('/api/user/token')
        expect((await read(old)).status).toBe(401)
        for (const value of [token, `Bearer ${token}`]) {
          expect(await (await read(value)).json()).toMatchObject({
            success: true,
            data: { id: user.userId },
          })
        }
      },
    },
    {
      it: 'changes the password with the old one, and ends the other sessions',
      run: async (stage) => {
        const username = 'changes-password'
        const here = await stage.account(username)
        const there = await new ApiClient(stage.app.url).signIn(username, stagePassword)
        const body = { username, password: 'the next one', original_password: stagePassword }
        expect(await here.call('PUT', '/api/user/self', body)).toMatchObject({ success: true })
        expect((await here.call('GET', '/api/user/self')).success).toBe(true)
        expect((await there.call('GET', '/api/user/self')).status).toBe(401)
        const again = { username, password: 'the next one' }
        const answer = await stage.callers.anonymous.call('POST', '/api/user/login', again)
        expect(answer.success).toBe(true)
      },
    },
    {
      it: 'ends a deleted account, keeps its name and shows it as deregistered',
      run: async (stage) => {
        const gone = await stage.account('goes-away')
        const made = await gone.post<{ key: string }>('/api/token/', { name: 'a' })
        expect(await gone.call('DELETE', '/api/user/self')).toMatchObject({ success: true })
        expect(await gone.call('GET', '/api/user/self')).toMatchObject({ status: 401 })
        const relay = await fetch(`${stage.app.url}/v1/models`, {
          headers: { authorization: `Bearer sk-${made.key}` },
        })
        expect(relay.status).toBe(401)
        const { items } = await stage.callers.admin.get<{
          items: { username: string; DeletedAt: string | null }[]
        }>('/api/user/search?keyword=goes-away')
        expect(items).toMatchObject([{ username: 'goes-away', DeletedAt: expect.any(String) }])
        const again = { username: 'goes-away', password: stagePassword }
        expect(await stage.callers.admin.call('POST', '/api/user/', again)).toMatchObject({
          code: 'account.username_taken',
        })
      },
    },
  ],
}
