import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { TokenRecord } from '#core'
import { createPluginApp, type InjectClient, type PluginApp } from '#test'
import { createTokens, type Tokens } from '../../core/tokens/tokens.ts'
import tokensPlugin from './index.ts'

const password = 'correct horse'

let app: PluginApp
let tokens: Tokens
let ada: InjectClient
let bob: InjectClient

beforeAll(async () => {
  app = await createPluginApp({
    plugins: [tokensPlugin],
    services: async (made) => {
      tokens = createTokens(made)
      return { tokens }
    },
  })
  ada = await newCaller('ada')
  bob = await newCaller('bob')
})
afterAll(async () => {
  tokens.close()
  await app.close()
})
afterEach(() => app.database.run('DELETE FROM tokens'))

async function newCaller(username: string): Promise<InjectClient> {
  const { id } = await app.accounts.create({ username, password, role: 1, by: 'admin' })
  return app.signedIn(id)
}

async function add(fields: object = {}): Promise<TokenRecord> {
  const answer = await ada.call<TokenRecord>('POST', '/api/token/', {
    name: 'laptop',
    remain_quota: 500_000,
    expired_time: -1,
    unlimited_quota: false,
    ...fields,
  })
  expect(answer).toMatchObject({ success: true, message: '' })
  return answer.data
}

describe('token calls', () => {
  it.each([
    ['GET', '/api/token/'],
    ['GET', '/api/token/search'],
    ['GET', '/api/token/1'],
    ['POST', '/api/token/'],
    ['PUT', '/api/token/'],
    ['DELETE', '/api/token/1/'],
  ] as const)('refuse a visitor %s %s', async (method, url) => {
    expect((await app.client().call(method, url)).status).toBe(401)
  })

  it('make a token that shows its key without the prefix', async () => {
    const token = await add({ DeletedAt: null, user_id: 99, used_quota: 7, status: 4 })
    expect(token).toMatchObject({ user_id: ada.userId, used_quota: 0, status: 1, DeletedAt: null })
    expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/)
    const again = await ada.call<TokenRecord>('GET', `/api/token/${token.id}`)
    expect(again.data.key).toBe(token.key)
  })

  it('page from 0 and cap the size at 100', async () => {
    for (let count = 0; count < 11; count += 1) await add()
    const first = await ada.call<unknown[]>('GET', '/api/token/?p=0&size=0')
    expect(first.data).toHaveLength(10)
    expect(first.headers['x-total-count']).toBe('11')
    expect((await ada.call<unknown[]>('GET', '/api/token/?p=1&size=10')).data).toHaveLength(1)
    expect((await ada.call<unknown[]>('GET', '/api/token?p=0&size=999')).data).toHaveLength(11)
    expect((await ada.call<unknown[]>('GET', '/api/token/?p=9')).data).toEqual([])
  })

  it('search by name and by part of the key', async () => {
    const token = await add({ name: 'Phone' })
    await add()
    const url = `/api/token/search?keyword=phone&token=sk-${token.key.slice(0, 8)}`
    expect(await ada.call('GET', url)).toMatchObject({ data: [{ id: token.id }] })
  })

  it('search by status as it is shown', async () => {
    const expired = await add({ expired_time: 1_000_000_000 })
    const off = await add()
    await add()
    await ada.call('PUT', '/api/token/?status_only=true', { id: off.id, status: 2 })
    for (const [status, id] of [
      [2, off.id],
      [3, expired.id],
    ]) {
      const found = await ada.call('GET', `/api/token/search?status=${status}`)
      expect(found).toMatchObject({ data: [{ id }] })
    }
    expect(await ada.call('GET', '/api/token/search?status=9')).toMatchObject({ success: false })
  })

  it('sort by what a list shows, unlimited above any rest', async () => {
    const rich = await add({ name: 'rich', remain_quota: 900 })
    const poor = await add({ name: 'poor', remain_quota: 5 })
    const endless = await add({ name: 'endless', remain_quota: 0, unlimited_quota: true })
    const times = { used_quota: 1, created_time: 20, accessed_time: 30 }
    for (const [step, { id }] of [poor, endless, rich].entries()) {
      for (const [column, value] of Object.entries(times)) {
        await app.database.run(`UPDATE tokens SET ${column} = :value WHERE id = :id`, {
          id,
          value: value + step,
        })
      }
    }
    const names = async (query: string, path = '/api/token/') =>
      (await ada.call<TokenRecord[]>('GET', `${path}?${query}`)).data.map(({ name }) => name)
    expect(await names('')).toEqual(['endless', 'poor', 'rich'])
    expect(await names('sort=remain_quota&order=desc')).toEqual(['endless', 'rich', 'poor'])
    expect(await names('sort=remain_quota&order=asc')).toEqual(['poor', 'rich', 'endless'])
    for (const sort of Object.keys(times)) {
      expect(await names(`sort=${sort}&order=desc`)).toEqual(['rich', 'endless', 'poor'])
      expect(await names(`sort=${sort}&order=asc`, '/api/token/search')).toEqual([
        'poor',
        'endless',
        'rich',
      ])
    }
    expect(await names('sort=used_quota&order=desc&size=1&p=1')).toEqual(['endless'])
  })

  it.each(['sort=key', 'sort=id;drop', 'order=up'])('refuse the order %s', async (query) => {
    for (const path of ['/api/token/', '/api/token/search']) {
      expect(await ada.call('GET', `${path}?${query}`)).toMatchObject({ success: false })
    }
  })

  it('overwrite all fields, or the status alone', async () => {
    const { id } = await add({ model_limits_enabled: true, model_limits: 'm' })
    const edit = { id, name: 'new', remain_quota: '7', status: 2, group: null }
    expect(await ada.call('PUT', '/api/token/', edit)).toMatchObject({
      data: { name: 'new', remain_quota: 7, status: 1, model_limits: '', expired_time: -1 },
    })
    const off = { id, status: 2, name: 'ignored' }
    expect(await ada.call('PUT', '/api/token/?status_only=true', off)).toMatchObject({
      data: { name: 'new', status: 2 },
    })
    expect(await ada.call('PUT', '/api/token/?status_only=true', { id, status: 4 })).toMatchObject({
      success: false,
      code: 'token.status_invalid',
    })
  })

  it('leave a quota that an older console sends back as it had read it', async () => {
    const read = await add({ remain_quota: 100 })
    const spent = { id: read.id }
    await app.database.run(
      'UPDATE tokens SET remain_quota = 60, used_quota = 40 WHERE id = :id',
      spent,
    )
    const { shown_remain_quota: _lost, ...rest } = read
    const edits = [
      { sent: { ...read, name: 'new' }, remain_quota: 60 },
      { sent: { ...rest, name: 'newer' }, remain_quota: 60 },
      { sent: { ...rest, remain_quota: '110' }, remain_quota: 70 },
      { sent: { id: read.id, remain_quota: 90, shown_remain_quota: 90 }, remain_quota: 70 },
      { sent: { id: read.id, remain_quota: 90 }, remain_quota: 90 },
    ]
    for (const { sent, remain_quota } of edits)
      expect(await ada.call('PUT', '/api/token/', sent)).toMatchObject({ data: { remain_quota } })
  })

  it('keep a quota that was changed elsewhere since a record was read that comes back', async () => {
    const read = await add({ remain_quota: 100 })
    await ada.call('PUT', '/api/token/', { ...read, remain_quota: 600 })
    expect(await ada.call('PUT', '/api/token/', { ...read, name: 'new' })).toMatchObject({
      data: { name: 'new', remain_quota: 600, shown_remain_quota: 600 },
    })
  })

  it('refuse an edit of a form that was opened before another edit', async () => {
    const { id, shown_remain_quota, ...opened } = await add({ allow_ips: '' })
    const { name, unlimited_quota, allow_ips } = opened
    const shown = { name, unlimited_quota, allow_ips }
    const edit = { id, name, shown_remain_quota, remain_quota: shown_remain_quota, shown }
    const first = await ada.call('PUT', '/api/token/', { ...edit, allow_ips: '10.0.0.1' })
    expect(first).toMatchObject({ data: { allow_ips: '10.0.0.1' } })
    expect(await ada.call('PUT', '/api/token/', { ...edit, name: 'new' })).toMatchObject({
      success: false,
      code: 'token.changed',
      message: expect.stringContaining('(allow_ips)') as string,
    })
    const unlimited = { ...edit, shown: { ...shown, allow_ips: '10.0.0.1', unlimited_quota: true } }
    expect(await ada.call('PUT', '/api/token/', unlimited)).toMatchObject({
      message: expect.stringContaining('(unlimited_quota)') as string,
    })
    expect(await ada.call('GET', `/api/token/${id}`)).toMatchObject({
      data: { name, allow_ips: '10.0.0.1' },
    })
  })

  it('let nobody touch the token of someone else', async () => {
    const { id } = await add()
    const refused = { status: 200, success: false, code: 'token.not_found' }
    expect(await bob.call('GET', `/api/token/${id}`)).toMatchObject(refused)
    expect(await bob.call('PUT', '/api/token/', { id, name: 'mine' })).toMatchObject(refused)
    expect(await bob.call('PUT', '/api/token/?status_only=1', { id, status: 2 })).toMatchObject(
      refused,
    )
    expect(await bob.call('DELETE', `/api/token/${id}`)).toMatchObject(refused)
    expect((await bob.call<unknown[]>('GET', '/api/token/')).data).toEqual([])
    expect(await ada.call('GET', `/api/token/${id}`)).toMatchObject({ data: { name: 'laptop' } })
  })

  it('delete a token', async () => {
    const { id, key } = await add()
    expect(await ada.call('DELETE', `/api/token/${id}/`)).toMatchObject({ success: true })
    expect(await ada.call('GET', `/api/token/${id}`)).toMatchObject({ success: false })
    expect(await tokens.authenticate(key)).toBeUndefined()
  })

  it.each([
    { sent: { name: 7 }, names: 'name' },
    { sent: { name: 'x'.repeat(31) }, names: '30' },
    { sent: { remain_quota: -1 }, names: 'remain_quota' },
    { sent: { remain_quota: 'a lot' }, names: 'remain_quota' },
    { sent: { unlimited_quota: 'true' }, names: 'unlimited_quota' },
    { sent: { expired_time: 1e300 }, names: 'expired_time' },
    { sent: { allow_ips: 'nowhere' }, names: 'allow_ips' },
    { sent: { group: 'secret-group' }, names: 'secret-group' },
  ])('refuse $sent naming $names', async ({ sent, names }) => {
    const answer = await ada.call('POST', '/api/token/', { name: 'n', ...sent })
    expect(answer).toMatchObject({ status: 200, success: false })
    expect(answer.message).toContain(names)
    expect((await ada.call<unknown[]>('GET', '/api/token/')).data).toEqual([])
  })
})

describe('the figures of a key', () => {
  const figures = (authorization?: string) => {
    const headers = authorization === undefined ? {} : { authorization }
    return app.app.inject({ url: '/api/usage/token', headers })
  }

  it('are for whoever holds it, from pages of any site', async () => {
    const { key } = await add({ model_limits_enabled: true, model_limits: 'm' })
    const answer = await figures(`Bearer sk-${key}`)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.json()).toMatchObject({
      code: true,
      data: {
        object: 'token_usage',
        name: 'laptop',
        total_granted: 500_000,
        total_used: 0,
        total_available: 500_000,
        unlimited_quota: false,
        model_limits: { m: true },
        expires_at: 0,
      },
    })
  })

  it('are for nobody without a key, with a wrong one, or with one of a banned account', async () => {
    const { key } = await add()
    for (const shown of [undefined, '', 'Bearer sk-wrong'])
      expect((await figures(shown)).statusCode).toBe(401)
    const owner = await app.accounts.findByLogin('ada')
    await app.accounts.update(owner?.id ?? 0, { status: 2 })
    expect((await figures(`Bearer sk-${key}`)).json()).toMatchObject({ code: 'token.key_unknown' })
    await app.accounts.update(owner?.id ?? 0, { status: 1 })
    ada = await app.signedIn(owner?.id ?? 0)
  })

  it('are for nobody at an address from which the key may not be used', async () => {
    const { key } = await add({ allow_ips: '10.1.2.0/24' })
    const from = (remoteAddress: string) =>
      app.app.inject({
        url: '/api/usage/token',
        headers: { authorization: `Bearer sk-${key}` },
        remoteAddress,
      })
    expect((await from('10.1.2.3')).json()).toMatchObject({ code: true })
    const refused = await from('10.1.3.3')
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({ success: false, code: 'token.address_refused' })
  })
})
