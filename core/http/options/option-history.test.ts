import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createPluginApp,
  databaseKinds,
  type InjectAnswer,
  type InjectClient,
  type PluginApp,
} from '#test'
import { defineOptions, definePlugin, Type } from '../../index.ts'
import type { ShownOptionChange } from '../../contract/options.ts'

const sample = (isSecret: boolean) =>
  defineOptions(
    {
      HistoryWord: Type.String({ default: 'first', maxLength: 400_000 }),
      HistoryOn: Type.Boolean({ default: false }),
      HistoryCount: Type.Integer({ default: 1 }),
      HistoryHost: Type.String({ default: '' }),
      HistorySecret: Type.String({
        default: '',
        'x-ui': { secret: true, boundTo: ['HistoryHost'] },
      }),
      HistoryLater: Type.String({ default: '', 'x-ui': { secret: isSecret } }),
    },
    { preconditions: [{ key: 'HistoryOn', needs: ['HistoryWord'] }] },
  )

const plugin = definePlugin({
  id: 'history-sample',
  options: sample(false),
  server: ({ routes, options }) =>
    routes.add((app) => {
      app.post('/api/history-sample', { config: { access: 'admin' } }, async () => {
        await options.set('HistoryWord', 'by the plugin')
        return { success: true, message: '' }
      })
    }),
})

describe.each(databaseKinds)('the history of options on $name', (kind) => {
  let app: PluginApp
  let admin: InjectClient
  let user: InjectClient

  beforeAll(async () => {
    app = await createPluginApp({ kind, plugins: [plugin] })
    const boss = await app.accounts.create({ username: 'boss', role: 10, by: 'admin' })
    admin = await app.signedIn(boss.id)
    user = await app.signedIn((await app.accounts.create({ username: 'user', by: 'admin' })).id)
  })
  afterAll(() => app.close())

  const put = (key: string, value: string, more?: Record<string, string>) =>
    admin.call('PUT', '/api/option', { key, value, ...(more ? { with: more } : {}) })
  const historyOf = async (key: string) => {
    const answer = await admin.call<{ items: ShownOptionChange[]; total: number }>(
      'GET',
      `/api/option/history?key=${key}&page_size=100`,
    )
    return answer.data
  }
  const rollBack = (id: number | undefined, to?: string): Promise<InjectAnswer> =>
    admin.call('POST', '/api/option/rollback', { id, ...(to ? { to } : {}) })

  it('holds a number as it is written shortest, and tells of no change to the same number', async () => {
    await put('HistoryCount', ' 7 ')
    for (const same of ['7', '+7', '7.0', '0x7']) await put('HistoryCount', same)
    const { items, total } = await historyOf('HistoryCount')
    expect(total).toBe(1)
    expect(items[0]).toMatchObject({ key: 'HistoryCount', new_value: '7' })
    const { data } = await admin.call<{ key: string; value: string }[]>('GET', '/api/option/')
    expect(data.find(({ key }) => key === 'HistoryCount')?.value).toBe('7')
  })

  it('tells who changed what, when and from where, and nothing of a saving without a change', async () => {
    await put('HistoryWord', 'second')
    await put('HistoryWord', 'second')
    const { items, total } = await historyOf('HistoryWord')
    expect(total).toBe(1)
    expect(items[0]).toMatchObject({
      key: 'HistoryWord',
      username: 'boss',
      origin: 'loopback',
      old_value: 'first',
      new_value: 'second',
      can_restore: true,
    })
    expect(Math.abs((items[0]?.changed_at ?? 0) - Date.now() / 1000)).toBeLessThan(60)
  })

  it('goes back to an earlier value by the rules of any saving, and to what stood before the first', async () => {
    await put('HistoryWord', '')
    const [emptied, second] = (await historyOf('HistoryWord')).items
    expect(await rollBack(second?.id)).toMatchObject({ success: true })
    expect(app.options.get('HistoryWord')).toBe('second')
    expect(await rollBack(second?.id, 'old')).toMatchObject({ success: true })
    expect(app.options.get('HistoryWord')).toBe('first')
    expect((await historyOf('HistoryWord')).items[0]).toMatchObject({
      old_value: 'second',
      new_value: 'first',
    })

    await put('HistoryOn', 'true')
    const [on] = (await historyOf('HistoryOn')).items
    await put('HistoryOn', 'false')
    await rollBack(emptied?.id)
    expect(await rollBack(on?.id)).toMatchObject({ code: 'options.precondition' })
    expect(app.options.get('HistoryOn')).toBe(false)
  })

  it('tells of a secret only that it was changed, and does not take it back', async () => {
    await put('HistoryHost', 'a.example.com', { HistorySecret: 'hush-hush' })
    const { items } = await historyOf('HistorySecret')
    expect(items[0]).toMatchObject({ is_secret: true, old_value: null, new_value: null })
    expect(items[0]).toMatchObject({ old_size: 0, new_size: 0, can_restore: false })
    expect(await rollBack(items[0]?.id)).toMatchObject({ code: 'options.secret_not_kept' })
    const rows = await app.database.select('SELECT * FROM option_changes')
    expect(JSON.stringify(rows)).not.toContain('hush')
  })

  it('asks for a secret anew when a roll-back would send it elsewhere', async () => {
    const [first] = (await historyOf('HistoryHost')).items
    await put('HistoryHost', 'b.example.com', { HistorySecret: 'other' })
    const other = await app.accounts.create({ username: 'rival', role: 10, by: 'admin' })
    const rival = await app.signedIn(other.id)
    const answer = await rival.call('POST', '/api/option/rollback', { id: first?.id })
    expect(answer).toMatchObject({ code: 'options.secret_needed' })
    expect(app.options.get('HistoryHost')).toBe('b.example.com')
  })

  it('keeps the last fifty of an option, and of what is too long its size', async () => {
    for (let count = 0; count < 55; count += 1) await put('HistoryWord', `word ${count}`)
    const { items, total } = await historyOf('HistoryWord')
    expect(total).toBe(50)
    expect(items.at(-1)).toMatchObject({ new_value: 'word 5' })
    expect((await historyOf('HistoryHost')).total).toBe(2)
    await put('HistoryWord', 'x'.repeat(200_000))
    const [long] = (await historyOf('HistoryWord')).items
    expect(long).toMatchObject({ new_value: null, new_size: 200_000, can_restore: false })
    expect(await rollBack(long?.id)).toMatchObject({ code: 'options.value_not_kept' })
    await put('HistoryWord', 'y'.repeat(100_000))
    const [cut] = (await historyOf('HistoryWord')).items
    expect(cut).toMatchObject({ new_size: 100_000, can_restore: true })
    expect(cut?.new_value).toHaveLength(32_768)
    await put('HistoryWord', 'short')
    await rollBack(cut?.id)
    expect(app.options.get('HistoryWord')).toHaveLength(100_000)
  })

  it('names the plugin that changed an option', async () => {
    await admin.call('POST', '/api/history-sample')
    const [change] = (await historyOf('HistoryWord')).items
    expect(change).toMatchObject({ user_id: 0, username: '', origin: 'plugin:history-sample' })
  })

  it('tells no value of an option that became a secret', async () => {
    await put('HistoryLater', 'in the open')
    const [open] = (await historyOf('HistoryLater')).items
    expect(open).toMatchObject({ new_value: 'in the open' })
    app.options.define([{ owner: 'history-sample', definitions: sample(true) }])
    await app.options.load()
    const [hidden] = (await historyOf('HistoryLater')).items
    expect(hidden).toMatchObject({ is_secret: true, new_value: null })
    expect(await rollBack(open?.id)).toMatchObject({ code: 'options.secret_not_kept' })
    const rows = await app.database.select('SELECT * FROM option_changes')
    expect(JSON.stringify(rows)).not.toContain('in the open')
  })

  it('keeps no option that nobody reads, but what another gateway has left', async () => {
    expect(await put('HistoryWrod', 'misspelt')).toMatchObject({
      success: false,
      code: 'options.unknown_key',
      message: expect.stringContaining('HistoryWrod'),
    })
    expect(await put('HistoryWord', 'x', { HistoryWrod: 'misspelt' })).toMatchObject({
      code: 'options.unknown_key',
    })
    const left = { key: 'FromAnotherGateway', value: 'old' }
    await app.database.run('INSERT INTO options (key, value) VALUES (:key, :value)', left)
    await app.options.load()
    expect(app.options.list()).toContainEqual(left)
    expect((await put(left.key, '')).success).toBe(true)
    expect(app.options.list()).toContainEqual({ ...left, value: '' })
    expect(app.options.list().map(({ key }) => key)).not.toContain('HistoryWrod')
  })

  it('is for those who may read options, of options of plugins that are on', async () => {
    expect(await user.call('GET', '/api/option/history')).toMatchObject({
      code: 'access.role_too_low',
    })
    expect(await user.call('POST', '/api/option/rollback', { id: 1 })).toMatchObject({
      code: 'access.role_too_low',
    })
    expect(await app.client().call('GET', '/api/option/history')).toMatchObject({ status: 401 })
    expect(await rollBack(999_999)).toMatchObject({ code: 'options.change_gone' })
    expect(await rollBack(0)).toMatchObject({ success: false })
    const [change] = (await historyOf('HistoryHost')).items
    app.options.define([])
    expect(await historyOf('HistoryHost')).toMatchObject({ items: [], total: 0 })
    expect(await rollBack(change?.id)).toMatchObject({ code: 'options.change_gone' })
  })
})
