// Through a whole gateway: who is refused in which words, who may see and change what.
import { beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, relayRoom } from '#test'
import { echo } from '../../test/harness/upstreams/echo-upstream.ts'
import type { BudgetBody, BudgetList, OwnBudgets } from './schema.ts'

const room = relayRoom({
  plugins: ['budgets'],
  channels: [{ models: 'm-chat,m-other' }],
  priced: ['m-chat', 'm-other'],
  customer: 'thrifty',
})

/** A zone in which the day has been going on for twelve hours: no period ends during a test. Its sign is that of POSIX, west of Greenwich. */
const hoursWest = new Date().getUTCHours() - 12
const zone = `Etc/GMT${hoursWest < 0 ? '' : '+'}${hoursWest}`
const setZone = (value: string) =>
  room.app.root.put('/api/option/', { key: 'BudgetTimeZone', value })
beforeAll(async () => {
  expect((await get()).time_zone).toBe('UTC')
  await setZone(zone)
})

const body: BudgetBody = {
  name: 'Daily chat',
  period: 'day',
  limit: 150,
  count: 'user',
  user_id: 0,
  token_id: 0,
  group: '',
  model: 'm-chat',
  enabled: true,
}
const {
  post,
  put,
  delete: remove,
  get,
} = {
  post: (sent: object) => room.app.root.post<{ id: number }>('/api/budgets/', sent),
  put: (id: number, sent: object) => room.app.root.put(`/api/budgets/${id}`, sent),
  delete: (id: number) => room.app.root.delete(`/api/budgets/${id}`),
  get: () => room.app.root.get<BudgetList>('/api/budgets/?p=1&page_size=100'),
}
const chat = (model = 'm-chat') =>
  room.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] })
const own = () => room.customer.client.get<OwnBudgets>('/api/budgets/self')

describe('a budget', () => {
  it('refuses calls in each dialect when it is used up, and says when it begins anew', async () => {
    room.upstream.behave(echo({ isPlain: true }))
    const { id } = await post(body)
    // A hundred units each.
    expect((await chat()).status).toBe(200)
    expect((await chat()).status).toBe(200)
    const messages = [{ role: 'user', content: 'Hi' }]
    const before = room.upstream.calls.length
    const refused = [
      await chat(),
      await room.post('/v1/responses', { model: 'm-chat', input: 'Hi' }),
      await room.post('/v1/messages', { model: 'm-chat', max_tokens: 9, messages }),
      await room.post('/v1beta/models/m-chat:generateContent', {
        contents: [{ parts: [{ text: 'Hi' }] }],
      }),
    ]
    for (const response of refused) {
      expect(response.status).toBe(429)
      const seconds = Number(response.headers.get('retry-after'))
      expect(seconds > 0 && seconds <= 86_400).toBe(true)
      expect(response.headers.get('x-should-retry')).toBe('false')
      const said = await response.text()
      expect(said).toMatch(
        /budget \\?"Daily chat\\?" is used up. It renews on \d{4}-\d\d-\d\d 00:00 \(/,
      )
      expect(said).toContain(`00:00 (${zone})`)
    }
    expect(room.upstream.calls).toHaveLength(before)
    expect((await chat('m-other')).status).toBe(200)
    const [shown] = (await get()).items
    expect(shown).toMatchObject({ id, used: 200, exhausted: 1, limit: 150, name: 'Daily chat' })
    expect(await own()).toMatchObject({ time_zone: zone, items: [{ id, used: 200, limit: 150 }] })
    // More of it lets calls through at once.
    await put(id, { ...body, limit: 1_000 })
    expect((await chat()).status).toBe(200)
    await remove(id)
    expect((await own()).items).toEqual([])
  })

  it('that is shared is told to admins only', async () => {
    const { id } = await post({ ...body, name: 'All', count: 'all' })
    expect((await own()).items).toEqual([])
    await remove(id)
  })

  it('of another user, or of a token of theirs, is shown to nobody else', async () => {
    const other = await addCustomer(room.app.root, 'spender', 1_000_000)
    const token_id = other.token.id
    const named = [{ user_id: other.id }, { token_id }, { token_id, count: 'token' }]
    const made: number[] = []
    for (const more of named) made.push((await post({ ...body, ...more })).id)
    const question = { model: 'm-chat', messages: [{ role: 'user', content: 'Hi' }] }
    const authorization = `Bearer ${other.key}`
    await room.post('/v1/chat/completions', question, { authorization })
    const theirs = () => other.client.get<OwnBudgets>('/api/budgets/self')
    await expect
      .poll(async () => (await theirs()).items.map(({ id }) => id))
      .toEqual(made.toReversed())
    expect((await own()).items).toEqual([])
    for (const id of made) await remove(id)
  })

  it('is for a token that there is, and of the user that it names', async () => {
    const { id: user_id, token, client } = await addCustomer(room.app.root, 'passing', 0)
    const call = (sent: object) => room.app.root.call('POST', '/api/budgets/', sent)
    for (const named of [
      { token_id: 999_999 },
      { token_id: token.id, user_id: room.app.root.userId },
    ])
      expect(await call({ ...body, ...named })).toMatchObject({
        success: false,
        code: 'budgets.token_unknown',
      })
    const own = { ...body, token_id: token.id, user_id }
    const { id } = await post(own)
    // The target of a budget may be deleted: the budget can still be edited, but none can be set to it.
    await client.delete(`/api/token/${token.id}`)
    await put(id, { ...own, enabled: false })
    expect((await call(own)).success).toBe(false)
    await remove(id)
  })

  it('counts from nothing when it counts something else', async () => {
    const { id } = await post({ ...body, limit: 50 })
    await chat()
    expect((await chat()).status).toBe(429)
    await put(id, { ...body, limit: 50, period: 'week' })
    expect((await chat()).status).toBe(200)
    await remove(id)
  })
})

describe('the routes of budgets', () => {
  it('are for admins, but for the own ones', async () => {
    const { client } = room.customer
    const calls = [
      () => client.call('GET', '/api/budgets/'),
      () => client.call('POST', '/api/budgets/', body),
      () => client.call('PUT', '/api/budgets/1', body),
      () => client.call('DELETE', '/api/budgets/1'),
    ]
    for (const call of calls) expect((await call()).success).toBe(false)
  })

  it('refuse what is no budget', async () => {
    const bad: object[] = [
      {},
      { ...body, name: '' },
      { ...body, name: '   ' },
      { ...body, name: 'x'.repeat(81) },
      { ...body, name: 'a\0' },
      { ...body, limit: 0 },
      { ...body, limit: 1.5 },
      { ...body, limit: '100' },
      { ...body, limit: 1e16 },
      { ...body, period: 'year' },
      { ...body, count: 'each' },
      { ...body, user_id: -1 },
      { ...body, user_id: 999_999 },
      { ...body, enabled: 'yes' },
      { ...body, more: 1 },
      [body],
    ]
    for (const sent of bad)
      expect(
        (await room.app.root.call('POST', '/api/budgets/', sent)).success,
        JSON.stringify(sent),
      ).toBe(false)
    for (const id of ['0', '-1', 'x', '1.5', '999999'])
      expect((await room.app.root.call('DELETE', `/api/budgets/${id}`)).success, id).toBe(false)
    expect((await room.app.root.call('PUT', '/api/budgets/999999', body)).success).toBe(false)
  })

  it('take no time zone that there is not', async () => {
    await expect(setZone('Mars/Base')).rejects.toThrow(/time zone/)
    await setZone('Asia/Shanghai')
    expect((await get()).time_zone).toBe('Asia/Shanghai')
    await setZone(zone)
  })
})
