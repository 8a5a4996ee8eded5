// The flow of a payment with a provider of the test's own: prices, orders, notices, refunds.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { definePlugin, type NoticeRequest, type PaymentNotice, type UserRecord } from '#core'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import { ledgerVerify } from '../cli/ledger-verify.ts'
import { netUnreachable } from '../net/net-errors.ts'
import personal from '../../plugins/personal/index.ts'

/** Notices are JSON and signed with a word; `isOn` is the secret that an admin has set or not. */
const bank = {
  isOn: true,
  fails: false as boolean | 'away',
  merchant: 'shop-1',
  /** Notices. */
  read: 0,
  received: [] as string[],
  led: [] as string[],
}

const provider = definePlugin({
  id: 'bank',
  server({ paymentProviders }) {
    paymentProviders.add({
      id: 'bank',
      methods: () => (bank.isOn ? [{ id: 'wire', name: { en: 'Wire', zh: '转账' } }] : []),
      currency: () => ({ code: 'CNY', decimals: 2 }),
      merchant: () => bank.merchant,
      start: (order) => {
        bank.led = [order.noticeUrl, order.returnUrl, order.cancelUrl]
        if (bank.fails === 'away') throw netUnreachable({ reason: 'ENOTFOUND', phase: 'connect' })
        if (bank.fails) throw new Error('the bank is closed')
        return Promise.resolve({ kind: 'redirect', url: `https://bank.test/${order.trade_no}` })
      },
      readNotice: ({ body, query }: NoticeRequest) => {
        bank.read += 1
        const text = body.length > 0 ? body.toString() : (query['notice'] ?? '')
        const { signature, ...notice } = JSON.parse(text) as { signature: string }
        if (signature !== 'right') throw new Error('forged')
        return notice as unknown as PaymentNotice
      },
      answerNotice: (isTaken) => ({ status: 200, body: isTaken ? 'success' : 'fail' }),
    })
  },
})

interface Order {
  trade_no: string
  status: string
  quota: number
  money: string
  refunded_quota: number
  username?: string
}

describe.each(databaseKinds)('payments on $name', (kind) => {
  let app: PluginApp
  let admin: InjectClient
  let ada: InjectClient
  let adaId: number

  beforeAll(async () => {
    const channels = { modelsOfGroups: () => Promise.resolve([]) }
    const notifyAdmins = ({ kind: name, values }: { kind: string; values: unknown[] }) => {
      bank.received.push([name, ...values.slice(2)].join(' '))
      return Promise.resolve()
    }
    const notify = () => Promise.reject(new Error('admins alone are told'))
    app = await createPluginApp({
      kind,
      plugins: [provider, personal],
      services: {
        channels: channels as never,
        notifications: { notify, notifyAdmins, ways: () => [] },
      },
    })
    await app.options.setMany(defaults)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    const root = await app.accounts.create({ username: 'root', role: 100, by: 'setup' })
    admin = await app.signedIn(root.id)
    ;({ id: adaId } = await app.accounts.create({ username: 'ada', by: 'admin' }))
    ada = await app.signedIn(adaId)
  })
  afterEach(async () => {
    Object.assign(bank, { isOn: true, fails: false, merchant: 'shop-1', received: [] })
    await app.options.setMany(defaults)
    await app.removeAccounts()
    await app.ledger.flush()
    for (const table of ['top_ups', 'top_up_reversals', 'logs'])
      await app.database.run(`DELETE FROM ${table}`)
  })

  const amount = (body: object) => ada.call<string>('POST', '/api/user/amount', body)
  const order = async (units = 10) => {
    const body = { amount: units, payment_method: 'wire' }
    const answer = await ada.call<{ pay_link: string }>('POST', '/api/user/pay', body)
    return answer.data.pay_link.replace('https://bank.test/', '')
  }
  const notice = (fields: object, signature = 'right') =>
    app.client().raw('POST', '/api/user/bank/notify', { ...fields, signature })
  const paid = (trade_no: string, more: object = {}) => ({
    kind: 'paid',
    trade_no,
    money: '73.00',
    currency: 'CNY',
    merchant: 'shop-1',
    reference: `ref-${trade_no}`,
    ...more,
  })
  const balance = async () => (await ada.call<UserRecord>('GET', '/api/user/self')).data.quota
  const orders = async (query = '') =>
    (await admin.call<{ items: Order[]; total: number }>('GET', `/api/user/topup${query}`)).data
  const logRows = async (type: number) => {
    await app.ledger.flush()
    const rows = await app.database.select<{ content: string }>(
      'SELECT content FROM logs WHERE type = :type ORDER BY id',
      { type },
    )
    return rows.map(({ content }) => content)
  }

  it('are credited once, however often and at once the provider tells', async () => {
    const trade = await order()
    expect(trade).toMatch(new RegExp(`^USR${adaId}NO[0-9A-Za-z]{6}\\d{10}$`))
    const answers = await Promise.all(Array.from({ length: 50 }, () => notice(paid(trade))))
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['success']))
    expect((await notice(paid(trade))).text).toBe('success')
    expect(await balance()).toBe(5_000_000)
    expect((await orders()).items).toMatchObject([
      { trade_no: trade, status: 'success', money: '73.00', quota: 5_000_000, username: 'ada' },
    ])
    expect(await logRows(1)).toEqual(['Online top-up: $10, paid 73.00 CNY'])
    expect(await app.ledger.verify()).toMatchObject({ faults: [] })
  })

  it('keep nobody else waiting while their order is locked', async () => {
    const trade = await order()
    const locked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const holding = app.database.transaction(async (transaction) => {
      const sql = 'UPDATE top_ups SET create_time = create_time WHERE trade_no = :trade'
      await app.database.run(sql, { trade }, transaction)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    bank.read = 0
    const answers = Promise.all(Array.from({ length: 30 }, () => notice(paid(trade))))
    await expect.poll(() => bank.read).toBe(30)
    // Each reading comes behind a step of all of them, of which only the last waits for the lock.
    for (let step = 0; step < 8; step += 1)
      expect((await orders()).items).toMatchObject([{ status: 'pending' }])
    release.resolve()
    await holding
    expect(new Set((await answers).map(({ text }) => text))).toEqual(new Set(['success']))
    expect(await balance()).toBe(5_000_000)
  })

  it.each([
    { what: 'another sum', more: { money: '72.99' } },
    { what: 'no sum', more: { money: '7e1' } },
    { what: 'another currency', more: { currency: 'USD' } },
    { what: 'another merchant', more: { merchant: 'shop-2' } },
    { what: 'an unknown order', more: { trade_no: 'USR1NOabcdef1' } },
    { what: 'an order with a NUL', more: { trade_no: 'USR\0' } },
    { what: 'a forged signature', more: {}, signature: 'wrong' },
  ])('are not credited for $what', async ({ more, signature }) => {
    const trade = await order()
    expect((await notice(paid(trade, more), signature)).text).toBe('fail')
    expect(await balance()).toBe(0)
    expect((await orders()).items).toMatchObject([{ status: 'pending' }])
  })

  it('of an order whose time was over are still credited', async () => {
    const trade = await order()
    expect((await notice({ kind: 'expired', trade_no: trade })).text).toBe('success')
    expect((await orders('?status=expired')).total).toBe(1)
    expect((await notice(paid(trade, { money: '73' }))).text).toBe('success')
    await notice({ kind: 'expired', trade_no: trade })
    expect((await orders('?status=success')).total).toBe(1)
    expect(await balance()).toBe(5_000_000)
  })

  it('are taken back as far as they are left, and the admins hear of it', async () => {
    const trade = await order()
    await notice(paid(trade))
    const back = (money: string, reason = 'refund') =>
      notice({ kind: 'reversed', reason, reference: `ref-${trade}`, money, currency: 'CNY' })
    await Promise.all(Array.from({ length: 10 }, () => back('7.30')))
    expect(await balance()).toBe(4_500_000)
    const spent = {
      userId: adaId,
      units: -4_000_000,
      kind: 'admin',
      ref: `spent:${trade}`,
    } as const
    await app.database.transaction((transaction) => app.ledger.change({ ...spent, transaction }))
    await back('73.00', 'dispute')
    await back('7.30')
    expect(await balance()).toBe(0)
    expect((await orders()).items).toMatchObject([
      { status: 'refunded', refunded_quota: 5_000_000 },
    ])
    expect(bank.received).toEqual(['payment_refund $1 $0', 'payment_dispute $1 $8'])
    expect(await logRows(3)).toEqual([
      `Refund of order ${trade}: $1 taken back, $0 was spent already`,
      `Dispute of order ${trade}: $1 taken back, $8 was spent already`,
    ])
    expect(await app.ledger.verify()).toMatchObject({ faults: [] })
    const foreign = { kind: 'reversed', reason: 'refund', money: '1.00', currency: 'USD' }
    expect((await notice({ ...foreign, reference: 'not ours' })).text).toBe('success')
  })

  it('for an account that was removed for good credit nobody, and the admins hear of it once', async () => {
    await expectUnowned('', () => app.accounts.hardDelete(adaId))
  })

  it('for a deregistered account credit nobody, and take nothing back of what it has', async () => {
    const gift = { userId: adaId, units: 7, kind: 'gift', ref: `gift:${adaId}` } as const
    await app.database.transaction((transaction) => app.ledger.change({ ...gift, transaction }))
    await expectUnowned('ada', () => app.accounts.softDelete(adaId))
    expect(await app.ledger.balance(adaId)).toBe(7)
  })

  it('for an account that is removed at this moment credit nobody, and are told again', async () => {
    const trade = await order()
    const remove = "UPDATE users SET deleted_at = '2026-01-01 00:00:00' WHERE id = NEW.user_id;"
    const isPostgres = app.database.dialect === 'postgres'
    const trigger = 'CREATE TRIGGER removal AFTER UPDATE ON top_ups'
    if (isPostgres) {
      const body = `BEGIN ${remove.replaceAll("'", "''")} RETURN NEW; END`
      await app.database.run(
        `CREATE FUNCTION removal() RETURNS trigger LANGUAGE plpgsql AS '${body}'`,
      )
      await app.database.run(`${trigger} FOR EACH ROW EXECUTE FUNCTION removal()`)
    } else await app.database.run(`${trigger} BEGIN ${remove} END`)
    try {
      expect((await notice(paid(trade))).text).toBe('fail')
    } finally {
      await app.database.run(`DROP TRIGGER removal ${isPostgres ? 'ON top_ups' : ''}`)
    }
    expect(await balance()).toBe(0)
    expect((await notice(paid(trade))).text).toBe('success')
    expect(await balance()).toBe(5_000_000)
  })

  async function expectUnowned(username: string, remove: () => Promise<void>): Promise<void> {
    const [trade, byHand] = [await order(), await order()]
    await remove()
    const answers = await Promise.all(Array.from({ length: 50 }, () => notice(paid(trade))))
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['success']))
    expect((await orders('?status=account_removed')).items).toMatchObject([
      { trade_no: trade, status: 'account_removed', username, user_id: adaId },
    ])
    expect(bank.received).toEqual([`payment_unowned ${adaId}`])
    expect(await logRows(3)).toEqual([expect.stringContaining('nothing was credited')])
    const complete = (trade_no: string) =>
      admin.call('POST', '/api/user/topup/complete', { trade_no })
    expect(await complete(byHand)).toMatchObject({ code: 'payment.account_removed' })
    const back = { kind: 'reversed', reason: 'refund', reference: `ref-${trade}`, currency: 'CNY' }
    expect((await notice({ ...back, money: '73.00' })).text).toBe('success')
    expect((await orders('?status=account_removed')).items).toMatchObject([
      { refunded_quota: 5_000_000 },
    ])
    const lines: string[] = []
    await ledgerVerify({ database: app.database, print: (line) => lines.push(line) })
    expect(lines).toEqual([expect.stringContaining('every balance is right')])
  }

  it('move nothing any more when their account is gone, whatever the bank tells', async () => {
    const trade = await order()
    await notice(paid(trade))
    const about = { reference: `ref-${trade}`, name: 'dispute 1' }
    const taken = { ...about, kind: 'reversed', reason: 'dispute', money: '73.00', currency: 'CNY' }
    await notice(taken)
    expect(await balance()).toBe(0)
    await app.accounts.hardDelete(adaId)
    for (const later of [taken, { ...about, kind: 'returned' }, { ...taken, name: 'dispute 2' }])
      expect((await notice(later)).text).toBe('success')
    expect(await app.ledger.verify()).toMatchObject({ faults: [] })
  })

  it('are known by the payment that came first', async () => {
    const trade = await order()
    await notice(paid(trade))
    expect((await notice(paid(trade, { reference: 'another' }))).text).toBe('success')
    const back = (reference: string) =>
      notice({ kind: 'reversed', reason: 'refund', reference, money: '7.30', currency: 'CNY' })
    await back('another')
    expect(await balance()).toBe(5_000_000)
    await back(`ref-${trade}`)
    expect(await balance()).toBe(4_500_000)
  })

  it('are not given back in another currency: the bank must tell again', async () => {
    const trade = await order()
    await notice(paid(trade))
    const back = { kind: 'reversed', reason: 'refund', reference: `ref-${trade}`, money: '7.30' }
    expect((await notice({ ...back, currency: 'USD' })).text).toBe('fail')
    expect(await balance()).toBe(5_000_000)
    expect((await notice({ ...back, currency: 'cny' })).text).toBe('success')
    expect(await balance()).toBe(4_500_000)
  })

  it('take back what was refunded before they were credited, in their own currency alone', async () => {
    const [told, byHand] = [await order(), await order()]
    const back = (trade: string, money: string, currency = 'CNY') =>
      notice({ kind: 'reversed', reason: 'refund', reference: `ref-${trade}`, money, currency })
    await back(told, '36.50', 'USD')
    await back(told, '7.30')
    await notice(paid(told))
    expect(await balance()).toBe(4_500_000)
    await notice({
      kind: 'reversed',
      reason: 'refund',
      trade_no: byHand,
      reference: `ref-${byHand}`,
      money: '14.60',
      currency: 'CNY',
    })
    await admin.call('POST', '/api/user/topup/complete', { trade_no: byHand })
    expect(await balance()).toBe(4_500_000 + 4_000_000)
  })

  it('are completed by hand by an admin, once and on the record', async () => {
    const trade = await order()
    const complete = (who: InjectClient) =>
      who.call('POST', '/api/user/topup/complete', { trade_no: trade })
    expect((await complete(ada)).success).toBe(false)
    const answers = await Promise.all(Array.from({ length: 5 }, () => complete(admin)))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(answers.find(({ success }) => !success)).toMatchObject({
      code: 'payment.order_closed',
      messages: {
        en: 'This order can no longer be completed: it is paid and credited.',
        zh: '该订单已支付并入账，无法补单。',
      },
    })
    await notice(paid(trade))
    expect(await balance()).toBe(5_000_000)
    expect(await logRows(3)).toEqual([
      expect.stringContaining(`Order ${trade} completed by root (id `),
    ])
    const unknown = await admin.call('POST', '/api/user/topup/complete', { trade_no: 'x' })
    expect(unknown.code).toBe('payment.order_unknown')
  })

  it('are counted as a whole on each page of their list', async () => {
    for (let made = 0; made < 5; made += 1) await order()
    const page = async (number: number, keyword = '') => {
      const { data } = await admin.call<{ items: object[]; total: number }>(
        'GET',
        `/api/user/topup?p=${number}&page_size=2&keyword=${keyword}`,
      )
      return [data.items.length, data.total]
    }
    expect(await Promise.all([1, 2, 3, 4].map((number) => page(number)))).toEqual([
      [2, 5],
      [2, 5],
      [1, 5],
      [0, 5],
    ])
    expect(await page(1, 'never')).toEqual([0, 0])
    expect(await page(3, 'ada')).toEqual([1, 5])
  })

  it('are listed to their customer alone, and to admins by number and name', async () => {
    const trade = await order()
    const own = (await ada.call<{ items: object[] }>('GET', '/api/user/topup/self?p=0')).data
    expect(own.items).toHaveLength(1)
    for (const name of ['merchant', 'reference', 'provider', 'username'])
      expect(own.items[0]).not.toHaveProperty(name)
    const eve = await app.accounts.create({
      username: 'eve',
      by: 'admin',
    })
    const other = await app.signedIn(eve.id)
    const empty = await other.call<object>('GET', '/api/user/topup/self')
    expect(empty.data).toEqual({ items: [], total: 0, page: 1, page_size: 10 })
    expect((await ada.call('GET', '/api/user/topup')).success).toBe(false)
    expect((await orders(`?keyword=${trade.slice(0, 8)}`)).total).toBe(1)
    expect((await orders('?keyword=ada')).total).toBe(1)
    expect((await orders(`?user_id=${adaId}`)).total).toBe(1)
    expect((await orders('?user_id=999999')).total).toBe(0)
    expect((await orders('?keyword=%25')).total).toBe(0)
    for (const path of ['/api/user/pay', '/api/user/amount', '/api/user/topup/complete'])
      expect((await app.client().call('POST', path, {})).status).toBe(401)
  })

  // Here the databases make no difference.
  if (kind !== databaseKinds[0]) return

  it('cost amount × price × ratio of the group × discount, rounded once', async () => {
    expect(await amount({ amount: 10 })).toMatchObject({ message: 'success', data: '73.00' })
    expect((await amount({ amount: '3', top_up_code: '' })).data).toBe('21.90')
    await app.options.set('payment_setting.amount_discount', '{"100":0.95,"50":0.985}')
    expect((await amount({ amount: 49 })).data).toBe('357.70')
    expect((await amount({ amount: 50 })).data).toBe('359.53')
    expect((await amount({ amount: 101 })).data).toBe('700.44')
    await app.options.set('TopupGroupRatio', '{"default":0.5,"vip":0}')
    expect((await amount({ amount: 3 })).data).toBe('10.95')
    await app.accounts.update(adaId, { group: 'vip' })
    expect((await amount({ amount: 3 })).data).toBe('21.90')
  })

  it('count raw quota where the operator shows that', async () => {
    await app.options.set('DisplayInCurrencyEnabled', 'false')
    expect(await amount({ amount: 499_999 })).toMatchObject({
      success: false,
      code: 'payment.below_minimum',
    })
    expect((await amount({ amount: 750_001 })).data).toBe('10.95')
    const { data } = await ada.call<object>('GET', '/api/user/topup/info')
    expect(data).toMatchObject({ amount_options: expect.arrayContaining([5_000_000]) })
    await notice(paid(await order(750_001), { money: '10.95' }))
    expect(await balance()).toBe(750_001)
  })

  it.each([
    { body: { amount: 0 }, code: 'request.invalid_field' },
    { body: { amount: 1.5 }, code: 'request.invalid_field' },
    { body: {}, code: 'request.invalid_field' },
    { body: { amount: 4 }, code: 'payment.below_minimum' },
    { body: { amount: 9e15 }, code: 'payment.amount_too_large' },
    { body: { amount: 10, payment_method: 'shells' }, code: 'payment.method_unknown' },
  ])('are refused for $body, with the text in both places', async ({ body, code }) => {
    await app.options.set('MinTopUp', '5')
    for (const path of ['/api/user/amount', '/api/user/pay', '/api/user/bank/pay']) {
      const answer = await ada.call('POST', path, body)
      expect(answer).toMatchObject({ status: 200, success: false, code })
      expect(answer.data).toBe(answer.message)
    }
    expect((await orders()).total).toBe(0)
  })

  it('stay closed without the secret', async () => {
    const trade = await order()
    bank.isOn = false
    expect((await notice(paid(trade))).text).toBe('fail')
    expect(await amount({ amount: 10 })).toMatchObject({ code: 'payment.off' })
    const { data } = await ada.call<object>('GET', '/api/user/topup/info')
    expect(data).toMatchObject({ enable_online_topup: false, methods: [] })
    expect(await balance()).toBe(0)
  })

  it('lead back to the address of the site, which no Host header names', async () => {
    const pay = () => ada.call('POST', '/api/user/pay', { amount: 10, payment_method: 'wire' })
    expect(await pay()).toMatchObject({ success: true })
    expect(bank.led).toEqual([
      'https://gw.test/api/user/bank/notify',
      'https://gw.test/log',
      'https://gw.test/topup',
    ])
    await app.options.set('ServerAddress', '')
    expect(await pay()).toMatchObject({ success: false, code: 'payment.no_address' })
    expect((await orders()).total).toBe(1)
  })

  it('that the provider does not take leave a failed order', async () => {
    bank.fails = true
    const answer = await ada.call('POST', '/api/user/pay', { amount: 10, payment_method: 'wire' })
    expect(answer).toMatchObject({ success: false, code: 'payment.provider_failed' })
    expect((await orders()).items).toMatchObject([{ status: 'failed' }])
  })

  it('that do not reach the provider say what to do, and nothing of the network', async () => {
    bank.fails = 'away'
    const answer = await ada.call('POST', '/api/user/pay', { amount: 10, payment_method: 'wire' })
    expect(answer).toMatchObject({ success: false, code: 'payment.provider_away' })
    expect(answer.message).toContain('Nothing was charged.')
    expect(answer.message).not.toContain('ENOTFOUND')
    expect((await orders()).items).toMatchObject([{ status: 'failed' }])
  })
})

const defaults: Record<string, string> = {
  ServerAddress: 'https://gw.test',
  DisplayInCurrencyEnabled: 'true',
  TopupGroupRatio: '{"default":1}',
  'payment_setting.amount_discount': '{}',
  MinTopUp: '1',
}
