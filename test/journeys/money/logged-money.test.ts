// Money moves together with its row in the log, or not at all: nobody finds a balance that no row accounts for.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { definePlugin, type UserRecord } from '#core'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import personal from '../../../plugins/personal/index.ts'
import redemptions from '../../../plugins/redemptions/index.ts'
import users from '../../../plugins/users/index.ts'
import { withoutLog } from '../../harness/faults/refused-log-rows.ts'

const password = 'correct horse'

const bank = definePlugin({
  id: 'bank',
  server({ paymentProviders }) {
    paymentProviders.add({
      id: 'bank',
      methods: () => [{ id: 'wire', name: { en: 'Wire', zh: '转账' } }],
      currency: () => ({ code: 'CNY', decimals: 2 }),
      merchant: () => '',
      start: ({ trade_no }) =>
        Promise.resolve({ kind: 'redirect', url: `https://bank.test/${trade_no}` }),
      readNotice: ({ body }) => JSON.parse(body.toString()),
      answerNotice: (isTaken) => ({ status: 200, body: isTaken ? 'success' : 'fail' }),
    })
  },
})

describe.each(databaseKinds)('without a row in the log, on $name,', (kind) => {
  let app: PluginApp
  let admin: InjectClient
  let ada: InjectClient

  beforeAll(async () => {
    app = await createPluginApp({
      kind,
      plugins: [bank, personal, redemptions, users],
      services: { channels: { modelsOfGroups: () => Promise.resolve([]) } as never },
    })
    await app.options.set('ServerAddress', 'https://gw.test')
  })
  afterAll(async () => {
    expect(await app.ledger.verify()).toMatchObject({ faults: [] })
    await app.close()
  })
  beforeEach(async () => {
    const root = await app.accounts.create({ username: 'root', role: 100, by: 'setup' })
    admin = await app.signedIn(root.id)
    ada = await app.signedIn((await app.accounts.create({ username: 'ada', by: 'admin' })).id)
  })
  afterEach(async () => {
    await app.options.set('QuotaForNewUser', '0')
    await app.removeAccounts()
    await app.database.run('DELETE FROM logs')
  })

  const refused = <T>(work: () => Promise<T>) => withoutLog(app.database, work)
  const balance = async () => (await ada.call<UserRecord>('GET', '/api/user/self')).data.quota
  const rows = (type: number) =>
    app.database.select<{ content: string }>(
      'SELECT content FROM logs WHERE user_id = :id AND type = :type',
      { id: ada.userId, type },
    )

  it('no code is redeemed', async () => {
    const body = { name: 'spring', quota: 700, count: 1 }
    const { data } = await admin.call<string[]>('POST', '/api/redemption/', body)
    const redeem = () => ada.call('POST', '/api/user/topup', { key: data[0] })
    expect(await refused(redeem)).toMatchObject({ status: 500 })
    expect(await balance()).toBe(0)
    expect(await redeem()).toMatchObject({ success: true, data: 700 })
    expect(await rows(1)).toHaveLength(1)
  })

  it('no charge is given back', async () => {
    const userId = ada.userId
    await app.database.run('UPDATE users SET used_quota = 5 WHERE id = :userId', { userId })
    const log = { user_id: userId, type: 6, content: 'given back' }
    const charge = { userId, tokenId: 0, channelId: 0, units: 5, ref: 'task:1', log }
    const giveBack = () =>
      app.database.transaction((transaction) => app.ledger.refund({ ...charge, transaction }))
    await expect(refused(giveBack)).rejects.toThrow()
    expect(await balance()).toBe(0)
    await giveBack()
    expect(await balance()).toBe(5)
    expect(await rows(6)).toEqual([{ content: 'given back' }])
  })

  it('no order is credited and none is completed', async () => {
    const order = async () => {
      const answer = await ada.call('POST', '/api/user/pay', { amount: 1, payment_method: 'wire' })
      return (answer as unknown as { url: string }).url.replace(/.*\//, '')
    }
    const paid = async (trade_no: string) => {
      const fields = { trade_no, merchant: '', money: '7.30', currency: 'CNY', reference: trade_no }
      return app.client().raw('POST', '/api/user/bank/notify', { kind: 'paid', ...fields })
    }
    const complete = (trade_no: string) =>
      admin.call('POST', '/api/user/topup/complete', { trade_no })
    const [first, second] = [await order(), await order()]
    expect((await refused(() => paid(first))).text).toBe('fail')
    expect(await refused(() => complete(second))).toMatchObject({ status: 500 })
    expect(await balance()).toBe(0)
    expect((await paid(first)).text).toBe('success')
    expect(await complete(second)).toMatchObject({ success: true })
    expect(await balance()).toBe(1_000_000)
    expect(await rows(1)).toHaveLength(2)
    const back = { kind: 'reversed', reason: 'refund', reference: first, money: '7.30' }
    const refund = () =>
      app.client().raw('POST', '/api/user/bank/notify', { ...back, currency: 'CNY' })
    expect((await refused(refund)).text).toBe('fail')
    expect(await balance()).toBe(1_000_000)
    expect((await refund()).text).toBe('success')
    expect(await balance()).toBe(500_000)
    expect(await rows(3)).toHaveLength(2)
  })

  it('no earnings of invitations are moved', async () => {
    await app.database.run('UPDATE users SET aff_quota = 500000 WHERE id = :id', { id: ada.userId })
    const move = () => ada.call('POST', '/api/user/aff_transfer', { quota: 500_000 })
    expect(await refused(move)).toMatchObject({ status: 500 })
    expect(await balance()).toBe(0)
    expect(await move()).toMatchObject({ success: true })
    expect(await rows(4)).toHaveLength(1)
  })

  it('no admin changes a balance', async () => {
    const id = ada.userId
    const edit = () => admin.call('PUT', '/api/user/', { id, quota: 900 })
    const add = () =>
      admin.call('POST', '/api/user/manage', { id, action: 'change_quota', value: 100 })
    for (const change of [edit, add]) expect(await refused(change)).toMatchObject({ status: 500 })
    expect(await balance()).toBe(0)
    for (const change of [edit, add]) expect(await change()).toMatchObject({ success: true })
    expect(await balance()).toBe(1000)
    expect(await rows(3)).toHaveLength(2)
  })

  it('no account gets its gift', async () => {
    await app.options.set('QuotaForNewUser', '300')
    const body = { username: 'bob', password }
    const make = () => admin.call('POST', '/api/user/', body)
    expect(await refused(make)).toMatchObject({ status: 500 })
    expect(await app.accounts.findByLogin('bob')).toBeUndefined()
    expect(await make()).toMatchObject({ success: true })
    expect(await app.accounts.findByLogin('bob')).toMatchObject({ quota: 300 })
  })
})
