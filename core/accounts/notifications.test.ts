import { beforeEach, describe, expect, it } from 'vitest'
import { quietLog } from '../../test/harness/databases.ts'
import type { Notifier } from '../contract/plugin.ts'
import { createRateLimits } from '../limits/rate-limits.ts'
import { createNotifications } from './notifications.ts'

type Sent = Parameters<Notifier['send']>[0]

const notice = {
  kind: 'quota_exceed',
  title: { en: 'Low', zh: '不足' },
  content: { en: '{{value}} of {{value}}', zh: '{{value}}：{{value}}' },
  values: [{ en: 'left', zh: '剩余' }, '$1'],
}

let sent: Sent[]
/** The notifiers that sent them. */
let by: string[]
let settings: Record<number, object>

beforeEach(() => {
  sent = []
  by = []
  settings = {}
})

function notifications() {
  const keep = (id: string) => ({
    id,
    send: async (message: Sent) => {
      by.push(id)
      sent.push(message)
    },
  })
  const accounts = {
    settingOf: async (id: number) => settings[id] ?? {},
    find: async (id: number) => (id === 9 ? undefined : { email: `${id}@example.com` }),
    adminIds: async () => [1, 2, 9],
  }
  return createNotifications({
    accounts: accounts as never,
    rateLimits: createRateLimits({ redis: undefined }),
    notifiers: () => [
      keep('email'),
      { ...keep('webhook'), name: { en: 'Webhook', zh: '网络回调' } },
      keep('pager'),
    ],
    log: quietLog,
    limitCount: 2,
    limitMinutes: 10,
  })
}

describe('a notice', () => {
  it('is written in the language of the account, with its values', async () => {
    settings = { 1: { language: 'zh' }, 2: { language: 'zh-CN' }, 3: { language: 'en' }, 4: {} }
    const { notify } = notifications()
    for (const id of [1, 2, 3, 4]) await notify(id, notice)
    expect(sent.map(({ language, title, values }) => [language, title, ...values])).toEqual([
      ['zh', '不足', '剩余', '$1'],
      ['zh', '不足', '剩余', '$1'],
      ['en', 'Low', 'left', '$1'],
      ['en', 'Low', 'left', '$1'],
    ])
  })

  it('goes the way that the account names, at most twice in ten minutes for each kind', async () => {
    settings = { 1: { notify_type: 'webhook', webhook_url: 'https://a.test', language: 'zh' } }
    const { notify } = notifications()
    for (let time = 0; time < 5; time += 1) await notify(1, notice)
    await notify(1, { ...notice, kind: 'other' })
    await notify(2, notice)
    expect(sent.map(({ to, kind }) => [to.userId, to.webhookUrl ?? to.email, kind])).toEqual([
      [1, 'https://a.test', 'quota_exceed'],
      [1, 'https://a.test', 'quota_exceed'],
      [1, 'https://a.test', 'other'],
      [2, '2@example.com', 'quota_exceed'],
    ])
  })

  it('goes by any notifier that is there, and by mail where the chosen one is gone', async () => {
    settings = { 1: { notify_type: 'pager' }, 2: { notify_type: 'pigeon' } }
    const { notify, ways } = notifications()
    await notify(1, notice)
    await notify(2, notice)
    expect(ways().map(({ name }) => name.zh)).toEqual(['email', '网络回调', 'pager'])
    expect(by).toEqual(['pager', 'email'])
  })

  it('reaches every admin, also when one of them is gone', async () => {
    await notifications().notifyAdmins(notice)
    expect(sent.map(({ to }) => to.userId)).toEqual([1, 2])
  })
})
