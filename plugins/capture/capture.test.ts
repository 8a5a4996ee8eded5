// Through a whole gateway: whose calls are kept, who may read them, and what is written down of it.
import { describe, expect, it } from 'vitest'
import { addCustomer, relayRoom } from '#test'
import { echo } from '../../test/harness/upstreams/echo-upstream.ts'
import type { CallList, CapturedCall, OwnCapture, Subject } from './schema.ts'

const room = relayRoom({
  plugins: ['capture'],
  channels: [{ models: 'm-chat' }, { models: 'm-claude', type: 14 }],
  priced: ['m-chat', 'm-claude'],
  customer: 'watched',
})

const root = () => room.app.root
const subject = () => ({ kind: 'user', id: room.customer.id }) as const
const on = (body: object = subject()) => root().call('POST', '/api/capture/subjects', body)
const off = () => root().call('DELETE', `/api/capture/subjects/user/${room.customer.id}`)
const list = (query = '') => root().get<CallList>(`/api/capture/calls?page_size=100${query}`)
const say = (content: string, more: object = {}) =>
  room.post('/v1/chat/completions', {
    model: 'm-chat',
    messages: [{ role: 'user', content }],
    ...more,
  })

/** Kept calls are written a moment after the answer. */
async function kept(count: number): Promise<CallList> {
  await expect.poll(async () => (await list()).total).toBeGreaterThanOrEqual(count)
  return list()
}

const read = (id: number) => root().get<CapturedCall>(`/api/capture/calls/${id}`)
const manageRows = async () =>
  (await root().get<{ items: { content: string }[] }>('/api/log/?type=3&page_size=100')).items.map(
    ({ content }) => content,
  )

describe('capturing calls', () => {
  it('keeps nothing of whom it is not on for', async () => {
    room.upstream.behave(echo({ isPlain: true }))
    await (await say('before')).text()
    expect(await on()).toMatchObject({ success: true })
    await (await say('after')).text()
    const { items } = await kept(1)
    expect(items).toHaveLength(1)
    const call = await read(items[0]!.id)
    expect(JSON.stringify(call.texts)).toContain('after')
    expect(JSON.stringify(call.texts)).not.toContain('before')
  })

  it('keeps question and answer, streamed too and of failed calls, but no key and no header', async () => {
    const before = (await list()).total
    await (await say('streamed words', { stream: true })).text()
    room.upstream.behave((response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'Not so.' } }))
    })
    await (await say('failing words')).text()
    const { items } = await kept(before + 2)
    const [failed, streamed] = [await read(items[0]!.id), await read(items[1]!.id)]
    expect(failed).toMatchObject({ status: 400, model: 'm-chat', is_cut: false })
    expect(failed.texts.error?.message).toContain('Not so')
    expect(streamed.texts).toMatchObject({
      request: { messages: [{ content: 'streamed words' }] },
      answer: { choices: [{ message: { content: 'streamed words' } }] },
    })
    const [key] = [room.customer.key.replace('sk-', '')]
    for (const call of [failed, streamed]) {
      expect(JSON.stringify(call)).not.toContain(key)
      expect(JSON.stringify(call).toLowerCase()).not.toContain('authorization')
    }
  })

  it('says where something was cut', async () => {
    room.upstream.behave(echo({ isPlain: true }))
    await root().put('/api/option/', { key: 'CaptureCallKilobytes', value: '1' })
    const before = (await list()).total
    await (await say(`begins ${'x'.repeat(5_000)} ends`)).text()
    const { items } = await kept(before + 1)
    expect(items[0]).toMatchObject({ is_cut: true })
    const text = JSON.stringify((await read(items[0]!.id)).texts)
    expect(text).toMatch(/\[cut: \d+ characters\]/)
    expect(text).not.toContain('ends')
    expect(text.length).toBeLessThan(4_000)
    await root().put('/api/option/', { key: 'CaptureCallKilobytes', value: '128' })
  })

  it('tells the owner plainly, and lets him read nothing', async () => {
    const own = () => room.customer.client.get<OwnCapture>('/api/capture/self')
    expect(await own()).toEqual({ is_captured: true, tokens: [], days: 7 })
    await off()
    expect(await own()).toEqual({ is_captured: false, tokens: [], days: 7 })
    const { id, name } = room.customer.token
    await on({ kind: 'token', id })
    expect(await own()).toEqual({ is_captured: false, tokens: [{ id, name }], days: 7 })
    const [shown] = await root().get<Subject[]>('/api/capture/subjects')
    expect(shown).toMatchObject({ kind: 'token', id, username: 'watched', created_by: 'root' })
    await root().call('DELETE', `/api/capture/subjects/token/${id}`)
  })

  it('writes each reading to the log', async () => {
    const { items } = await list()
    const { id } = items[0]!
    await read(id)
    const lines = await fetch(`${room.app.url}/api/capture/export?user_id=${room.customer.id}`, {
      headers: { cookie: root().sessionCookie ?? '', 'new-api-user': String(root().userId) },
    })
    const text = await lines.text()
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as CapturedCall).id),
    ).toEqual(items.map((item) => item.id))
    expect(await root().call('POST', '/api/capture/delete', { ids: [id] })).toMatchObject({
      data: { deleted: 1 },
    })
    const rows = [
      /^Read captured call \d+ of user/,
      /^Exported captured calls of user/,
      /^Deleted 1 captured calls/,
      /^Switched capture on for user/,
      /^Switched capture off for token/,
    ].map((what) => expect.stringMatching(what) as string)
    await expect.poll(manageRows).toEqual(expect.arrayContaining(rows))
  })

  it('is found by user, token, model and time', async () => {
    const { total } = await list()
    expect((await list(`&user_id=${room.customer.id}`)).total).toBe(total)
    for (const query of [
      '&user_id=999999',
      '&token_id=999999',
      '&model=other',
      '&start=4000000000',
      '&end=1',
    ])
      expect((await list(query)).total, query).toBe(0)
  })
})

describe('the routes of captured calls', () => {
  it('are for the super admin alone, not even for admins', async () => {
    const { client: admin, id } = await addCustomer(root(), 'helper', 0)
    await root().post('/api/user/manage', { id, action: 'promote' })
    for (const client of [room.customer.client, admin]) {
      for (const path of [
        '/api/capture/subjects',
        '/api/capture/calls',
        '/api/capture/calls/1',
        '/api/capture/export',
      ])
        expect((await client.call('GET', path)).success, path).toBe(false)
      expect((await client.call('POST', '/api/capture/subjects', subject())).success).toBe(false)
      expect((await client.call('DELETE', '/api/capture/subjects/user/1')).success).toBe(false)
      expect((await client.call('POST', '/api/capture/delete', { ids: [1] })).success).toBe(false)
    }
  })

  it('refuse what is no id', async () => {
    for (const body of [
      {},
      { kind: 'group', id: 1 },
      { kind: 'user', id: 0 },
      { kind: 'user', id: '1' },
      { kind: 'user', id: 999_999 },
      { kind: 'token', id: 999_999 },
      { ...subject(), more: 1 },
    ])
      expect((await on(body)).success, JSON.stringify(body)).toBe(false)
    expect((await on()).success).toBe(true)
    expect((await on()).success).toBe(false)
    expect((await off()).success).toBe(true)
    expect((await off()).success).toBe(false)
    for (const body of [
      {},
      { ids: [] },
      { ids: ['1'] },
      { ids: [1.5] },
      { ids: Array.from({ length: 101 }, (_, at) => at + 1) },
    ])
      expect(
        (await root().call('POST', '/api/capture/delete', body)).success,
        JSON.stringify(body).slice(0, 40),
      ).toBe(false)
    for (const id of ['0', 'x', '999999'])
      expect((await root().call('GET', `/api/capture/calls/${id}`)).success, id).toBe(false)
  })
})
