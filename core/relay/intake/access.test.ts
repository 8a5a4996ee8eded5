// Who may call what, as a client sees it: each refusal of a key, and the channels that a key reaches. Nothing that is
// refused reaches an upstream or is charged.
import { beforeEach, describe, expect, it } from 'vitest'
import type { TokenInput } from '#core'
import { addChannel, addCustomer, balanceOf, type Customer, relayRoom } from '#test'
import { echo } from '../../../test/harness/upstreams/echo-upstream.ts'

const room = relayRoom({
  channels: [
    { models: 'm,other', key: 'sk-of-default', group: 'default' },
    { models: 'm,only-vip', key: 'sk-of-vip', group: 'vip' },
  ],
  priced: ['m', 'other', 'only-vip'],
  customer: 'visitor',
})

let number = 0
/** A customer of the test alone. */
function newCustomer(token: TokenInput = {}): Promise<Customer> {
  number += 1
  return addCustomer(room.app.root, `guest${number}`, 1_000_000, token)
}

const setOption = (key: string, value: unknown) =>
  room.app.root.put('/api/option/', { key, value: JSON.stringify(value) })

async function ask(key: string, model = 'm') {
  const body = { model, messages: [{ role: 'user', content: 'Hi' }] }
  const answer = await room.post('/v1/chat/completions', body, { authorization: `Bearer ${key}` })
  const { error } = (await answer.json()) as { error?: { code: string } }
  return { status: answer.status, code: error?.code }
}

const answered = { status: 200, code: undefined }
/** The keys with which the upstream was called. */
const upstreamKeys = () => room.upstream.calls.map(({ headers }) => headers['authorization'])

beforeEach(() => {
  room.upstream.calls.length = 0
  room.upstream.behave(echo({ isPlain: true }))
})

interface Refusal {
  what: string
  token?: TokenInput
  after?: (customer: Customer) => Promise<unknown>
  status: number
  code: string
}

const refusals: Refusal[] = [
  {
    what: 'was deleted',
    after: ({ client, token }) => client.call('DELETE', `/api/token/${token.id}`),
    status: 401,
    code: 'invalid_api_key',
  },
  {
    what: 'was disabled',
    after: ({ client, token }) =>
      client.put('/api/token/?status_only=true', { id: token.id, status: 2 }),
    status: 401,
    code: 'api_key_disabled',
  },
  {
    what: 'is past its end',
    token: { expired_time: 1_000_000_000 },
    status: 401,
    code: 'api_key_expired',
  },
  {
    what: 'has nothing left',
    token: { unlimited_quota: false, remain_quota: 0 },
    status: 403,
    code: 'token_quota_exhausted',
  },
  {
    what: 'is for other addresses',
    token: { allow_ips: '192.0.2.0/24' },
    status: 403,
    code: 'ip_not_allowed',
  },
  {
    what: 'belongs to a disabled account',
    after: ({ id }) => room.app.root.post('/api/user/manage', { id, action: 'disable' }),
    status: 403,
    code: 'user_disabled',
  },
  {
    what: 'belongs to a deregistered account',
    after: ({ id }) => room.app.root.post('/api/user/manage', { id, action: 'delete' }),
    status: 401,
    code: 'invalid_api_key',
  },
  {
    what: 'is for other models',
    token: { model_limits_enabled: true, model_limits: 'other' },
    status: 403,
    code: 'model_not_allowed',
  },
]

describe('a key', () => {
  it.each(refusals)('that $what is refused with $code', async ({ token, after, status, code }) => {
    const customer = await newCustomer(token)
    await after?.(customer)
    expect(await ask(customer.key)).toEqual({ status, code })
    expect(room.upstream.calls).toEqual([])
  })

  it.each(['sk-unknown', 'sk-', `sk-${'x'.repeat(48)}`])('"%s" is unknown', async (key) => {
    expect(await ask(key)).toEqual({ status: 401, code: 'invalid_api_key' })
  })

  it('serves what it is for: its models, from its addresses', async () => {
    const limits = { model_limits_enabled: true, model_limits: 'm', allow_ips: '127.0.0.0/8, ::1' }
    const customer = await newCustomer(limits)
    expect(await ask(customer.key)).toEqual(answered)
    expect(await ask(customer.key, 'other')).toMatchObject({ code: 'model_not_allowed' })
    expect(upstreamKeys()).toEqual(['Bearer sk-of-default'])
  })
})

describe('the group of a key', () => {
  const offer = (...groups: string[]) =>
    setOption('UserUsableGroups', Object.fromEntries(groups.map((group) => [group, group])))

  it('counts only as long as its user may use it', async () => {
    await offer('default', 'vip')
    const customer = await newCustomer({ group: 'vip' })
    expect(await ask(customer.key)).toEqual(answered)
    expect(upstreamKeys()).toEqual(['Bearer sk-of-vip'])
    await offer('default')
    expect(await ask(customer.key)).toEqual({ status: 403, code: 'group_not_allowed' })
    expect(room.upstream.calls).toHaveLength(1)
  })

  it('is, where it is chosen for each call, one that the user may use and that has the model', async () => {
    await setOption('AutoGroups', ['vip', 'default'])
    await offer('default', 'vip')
    const customer = await newCustomer({ group: 'auto' })
    expect(await ask(customer.key)).toEqual(answered)
    expect(await ask(customer.key, 'other')).toEqual(answered)
    await offer('default')
    expect(await ask(customer.key)).toEqual(answered)
    const headers = { authorization: `Bearer ${customer.key}` }
    const listed = await (await fetch(`${room.app.url}/v1/models`, { headers })).text()
    expect(listed).toContain('"other"')
    expect(listed).not.toContain('only-vip')
    expect(upstreamKeys()).toEqual([
      'Bearer sk-of-vip',
      'Bearer sk-of-default',
      'Bearer sk-of-default',
    ])
  })
})

describe('a channel that a key names', () => {
  const channel = () =>
    addChannel(room.app.root, {
      base_url: room.upstream.url,
      models: 'm',
      key: 'sk-of-pinned',
      priority: -1,
    })
  async function adminKey(): Promise<string> {
    const customer = await newCustomer()
    await room.app.root.post('/api/user/manage', { id: customer.id, action: 'promote' })
    return customer.key
  }

  it('serves an admin, whatever its priority', async () => {
    const id = await channel()
    expect(await ask(`${await adminKey()}-${id}`)).toEqual(answered)
    expect(upstreamKeys()).toEqual(['Bearer sk-of-pinned'])
  })

  it('serves nobody else, and charges nothing', async () => {
    const id = await channel()
    const customer = await newCustomer()
    for (const pin of [id, 999_999, 'none'])
      expect(await ask(`${customer.key}-${pin}`)).toEqual({
        status: 403,
        code: 'channel_pin_not_allowed',
      })
    expect(room.upstream.calls).toEqual([])
    expect(await balanceOf(customer)).toBe(1_000_000)
  })

  it('is an enabled one that there is', async () => {
    const id = await channel()
    const key = await adminKey()
    for (const pin of ['999999', 'none', '0', '1x'])
      expect(await ask(`${key}-${pin}`)).toEqual({ status: 400, code: 'invalid_channel' })
    await room.app.root.put('/api/channel/', { id, status: 2 })
    expect(await ask(`${key}-${id}`)).toEqual({ status: 403, code: 'invalid_channel' })
    expect(room.upstream.calls).toEqual([])
  })
})
