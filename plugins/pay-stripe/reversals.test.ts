// Refunds and disputes in any order and number. Stripe's own SDK signs each event, and the types of the SDK describe
// it.
import { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type InjectClient, type PluginApp } from '#test'
import { ledgerVerify } from '../../core/cli/ledger-verify.ts'
import payStripe from './index.ts'

const sdk = new Stripe('sk_test_local')
const secret = 'whsec_test_local'
const settings = {
  StripeApiSecret: 'sk_test_local',
  StripeWebhookSecret: secret,
  StripeCurrency: 'usd',
  ServerAddress: 'https://gw.test',
}
/** The units that 10.00 USD buy, and those that one cent buys. */
const all = 5_000_000
const cent = all / 1000

interface StripeEvent {
  type: Stripe.Event['type']
  object: object
}

describe.each(databaseKinds)('refunds and disputes by Stripe on $name', (kind) => {
  let app: PluginApp
  let ada: InjectClient
  let root: InjectClient
  let adaId: number
  let trade: string
  let notices: string[]
  let count = 0

  beforeAll(async () => {
    const page = { id: 'cs_1', url: 'https://checkout.stripe.com/c/pay/cs_1' }
    const fetch = ({ body }: { body: string }) => {
      trade = new URLSearchParams(body).get('client_reference_id') ?? ''
      return Promise.resolve({ status: 200, body: page })
    }
    app = await createPluginApp({
      kind,
      plugins: [payStripe],
      services: {
        fetch: fetch as never,
        notifications: {
          notify: () => Promise.reject(new Error('admins alone are told')),
          ways: () => [],
          notifyAdmins: ({ kind: name, values }) => {
            notices.push(
              [name, ...values.slice(2).filter((value) => typeof value === 'string')].join(' '),
            )
            return Promise.resolve()
          },
        },
      },
    })
    await app.options.setMany(settings)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    notices = []
    const boss = await app.accounts.create({ username: 'root', role: 100, by: 'setup' })
    root = await app.signedIn(boss.id)
    ;({ id: adaId } = await app.accounts.create({ username: 'ada', by: 'admin' }))
    ada = await app.signedIn(adaId)
    await ada.call('POST', '/api/user/stripe/pay', { amount: 10, payment_method: 'stripe' })
  })
  afterEach(async () => {
    const lines: string[] = []
    await ledgerVerify({ database: app.database, print: (line) => lines.push(line) })
    expect(lines).toEqual([expect.stringContaining('every balance is right')])
    await app.removeAccounts()
    for (const table of ['top_ups', 'top_up_reversals', 'ledger_entries'])
      await app.database.run(`DELETE FROM ${table}`)
  })

  const notify = async ({ type, object }: StripeEvent) => {
    count += 1
    const payload = JSON.stringify({ id: `evt_${count}`, object: 'event', type, data: { object } })
    const signature = sdk.webhooks.generateTestHeaderString({ payload, secret })
    expect(sdk.webhooks.constructEvent(payload, signature, secret).type).toBe(type)
    const response = await app.app.inject({
      method: 'POST',
      url: '/api/stripe/webhook',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      payload,
    })
    expect(response.statusCode).toBe(200)
  }
  const paid = (): StripeEvent => ({
    type: 'checkout.session.completed',
    object: {
      id: 'cs_1',
      object: 'checkout.session',
      payment_status: 'paid',
      amount_total: 1000,
      currency: 'usd',
      payment_intent: `pi_${trade}`,
      metadata: { trade_no: trade },
    },
  })
  /** @param sum all refunds of the charge so far, as Stripe reports them */
  const refunded = (sum: number): StripeEvent => ({
    type: 'charge.refunded',
    object: {
      id: 'ch_1',
      object: 'charge',
      amount: 1000,
      amount_refunded: sum,
      refunded: sum === 1000,
      currency: 'usd',
      payment_intent: `pi_${trade}`,
      metadata: { trade_no: trade },
    } satisfies Partial<Stripe.Charge>,
  })
  const dispute = (
    type: Stripe.Event['type'],
    status: Stripe.Dispute.Status,
    { id = 'du_1', amount = 1000 } = {},
  ): StripeEvent => ({
    type,
    object: {
      id,
      object: 'dispute',
      amount,
      currency: 'usd',
      charge: 'ch_1',
      payment_intent: `pi_${trade}`,
      metadata: {},
      status,
    } satisfies Partial<Stripe.Dispute>,
  })
  const oneRefund = (
    type: Stripe.Event['type'],
    status: string,
    { id = 're_1', amount = 400 } = {},
  ): StripeEvent => ({
    type,
    object: {
      id,
      object: 'refund',
      amount,
      currency: 'usd',
      charge: 'ch_1',
      payment_intent: `pi_${trade}`,
      metadata: {},
      status,
    } satisfies Partial<Stripe.Refund>,
  })
  const created = (more: object = {}) => oneRefund('refund.created', 'pending', more)
  const failed = (more: object = {}) => oneRefund('refund.failed', 'failed', more)
  const opened = (more: object = {}) => dispute('charge.dispute.created', 'needs_response', more)
  const won = (more: object = {}) => dispute('charge.dispute.closed', 'won', more)
  const reinstated = () => dispute('charge.dispute.funds_reinstated', 'won')
  const withdrawn = () => dispute('charge.dispute.funds_withdrawn', 'under_review')
  const lost = () => dispute('charge.dispute.closed', 'lost')
  const notifyOfAll = async (...events: StripeEvent[]) => {
    for (const event of events) await notify(event)
  }
  const balance = () => app.ledger.balance(adaId)
  const spend = (units: number) =>
    app.database.transaction((transaction) => {
      const ref = `spent:${trade}`
      return app.ledger.change({ userId: adaId, units: -units, kind: 'admin', ref, transaction })
    })
  const stored = async () => {
    const { data } = await root.call<{ items: object[] }>('GET', '/api/user/topup')
    return data.items[0]
  }

  it('take back of several refunds exactly the difference each', async () => {
    await notifyOfAll(paid(), refunded(250))
    expect(await balance()).toBe(750 * cent)
    await notifyOfAll(refunded(600), refunded(250), refunded(600))
    expect(await balance()).toBe(400 * cent)
    expect(await stored()).toMatchObject({ status: 'success', refunded_quota: 600 * cent })
    await notifyOfAll(refunded(1000), refunded(600))
    expect(await balance()).toBe(0)
    expect(await stored()).toMatchObject({ status: 'refunded', taken_quota: all })
    expect(notices).toHaveLength(3)
  })

  it('come out the same in every order, each told many times at once', async () => {
    const events = [refunded(333), refunded(200), paid(), opened({ amount: 300 }), refunded(467)]
    for (const first of events) {
      await Promise.all([...events, first, ...events, ...events].map(notify))
    }
    expect(await balance()).toBe((1000 - 467 - 300) * cent)
    expect(await stored()).toMatchObject({ refunded_quota: 767 * cent, taken_quota: 767 * cent })
  })

  it.each([
    { what: 'a refund', events: () => [refunded(250)], left: 750 },
    { what: 'a dispute', events: () => [opened(), withdrawn()], left: 0 },
    { what: 'a dispute that was won', events: () => [won(), opened()], left: 1000 },
    { what: 'a dispute that was lost', events: () => [lost()], left: 0 },
  ])('of $what count when they come before the payment itself', async ({ events, left }) => {
    await notifyOfAll(...events())
    expect(await balance()).toBe(0)
    await notifyOfAll(paid(), paid())
    expect(await balance()).toBe(left * cent)
  })

  it('that failed give back what they took, in any order and often at once', async () => {
    await notifyOfAll(paid(), created(), refunded(400))
    expect(await balance()).toBe(600 * cent)
    await notify(failed())
    expect(await balance()).toBe(all)
    expect(await stored()).toMatchObject({ status: 'success', refunded_quota: 0, taken_quota: 0 })
    expect(notices).toEqual(['payment_refund $4 $0', 'payment_returned $4'])
    const second = { id: 're_2', amount: 300 }
    const events = [
      failed(),
      created(),
      refunded(400),
      refunded(300),
      created(second),
      oneRefund('refund.updated', 'succeeded', second),
      oneRefund('charge.refund.updated', 'failed'),
      paid(),
    ]
    await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        notify(events[(at * 3) % events.length] as StripeEvent),
      ),
    )
    expect(await balance()).toBe(700 * cent)
    expect(await stored()).toMatchObject({ refunded_quota: 300 * cent, taken_quota: 300 * cent })
  })

  it.each([
    { what: 'before the refund and the payment', events: () => [failed(), created(), paid()] },
    { what: 'without the refund by itself', events: () => [paid(), refunded(400), failed()] },
    {
      what: 'as cancelled',
      events: () => [paid(), created(), oneRefund('refund.updated', 'canceled')],
    },
  ])('that failed count as nothing when it is told $what', async ({ events }) => {
    await notifyOfAll(...events())
    expect(await balance()).toBe(all)
  })

  it('that failed give back no more than was left to take', async () => {
    await notify(paid())
    await spend(900 * cent)
    await notifyOfAll(created(), failed(), failed())
    expect(await balance()).toBe(100 * cent)
  })

  it('take a dispute once and give it back once when it is won', async () => {
    await notify(paid())
    const many = (...events: StripeEvent[]) =>
      Promise.all(
        Array.from({ length: 50 }, (_, at) => notify(events[at % events.length] as StripeEvent)),
      )
    await many(opened(), withdrawn())
    expect(await balance()).toBe(0)
    await many(won(), reinstated(), opened())
    expect(await balance()).toBe(all)
    await many(opened(), withdrawn(), won(), paid())
    expect(await balance()).toBe(all)
    expect(await stored()).toMatchObject({ status: 'success', refunded_quota: 0, taken_quota: 0 })
    expect(notices).toEqual(['payment_dispute $10 $0', 'payment_returned $10'])
  })

  it('never take more than was credited, and give back what the dispute took alone', async () => {
    await notifyOfAll(paid(), refunded(400), opened())
    expect(await balance()).toBe(0)
    expect(await stored()).toMatchObject({ refunded_quota: all, taken_quota: all })
    await notify(won())
    expect(await balance()).toBe(600 * cent)
    await notifyOfAll(refunded(1000), opened({ id: 'du_2' }), won({ id: 'du_2' }))
    expect(await balance()).toBe(0)
    expect(await stored()).toMatchObject({ status: 'refunded', taken_quota: all })
  })

  it('take what is left of a balance that was spent, and give back no more than that', async () => {
    await notify(paid())
    await spend(900 * cent)
    await notify(opened())
    expect(await balance()).toBe(0)
    expect(notices).toEqual(['payment_dispute $1 $9'])
    expect(await stored()).toMatchObject({ refunded_quota: all, taken_quota: 100 * cent })
    await notifyOfAll(won(), reinstated())
    expect(await balance()).toBe(100 * cent)
  })

  it('take what a call has reserved, which is then charged what it costs', async () => {
    await notify(paid())
    const call = await app.ledger.reserve({
      requestId: `call:${trade}`,
      userId: adaId,
      tokenId: 0,
      isTokenLimited: false,
      units: 900 * cent,
    })
    await notify(refunded(1000))
    expect(notices).toEqual(['payment_refund $10 $0'])
    expect(await stored()).toMatchObject({ refunded_quota: all, taken_quota: all })
    await app.ledger.settle(call, { units: 100 * cent, channelId: 0 })
    await app.ledger.flush()
    expect(await balance()).toBe(-100 * cent)
  })

  it('take nothing for an inquiry', async () => {
    await notify(paid())
    for (const status of ['warning_needs_response', 'warning_closed', 'prevented'] as const)
      await notify(dispute('charge.dispute.created', status))
    expect(await balance()).toBe(all)
  })

  it('find an order that was completed by hand', async () => {
    const done = await root.call('POST', '/api/user/topup/complete', { trade_no: trade })
    expect(done.success).toBe(true)
    await notify(refunded(250))
    expect(await balance()).toBe(750 * cent)
    await notify(opened())
    expect(await balance()).toBe(0)
  })
})
