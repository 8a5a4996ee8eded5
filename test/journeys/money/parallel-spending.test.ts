// 400 calls at once on a balance, or a token, for 10: none goes below zero, and none is let through that nobody can pay.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  type Customer,
  consumptionRows,
  fakeUpstream,
  type FakeUpstream,
  startApp,
} from '#test'
import { perCall, sellByCall } from '../../harness/call-shop.ts'
import { gatewayDatabases } from '../../harness/gateway-databases.ts'
import { chat } from '../../harness/relay-call.ts'

const parallelCalls = 400
const priceUnits = perCall.units

describe.each(gatewayDatabases)('400 calls at once on a balance for 10, on $name', ({ open }) => {
  let app: App
  let upstream: FakeUpstream
  let closeDatabase: () => Promise<void>

  beforeAll(async () => {
    const database = await open()
    closeDatabase = database.close
    upstream = await fakeUpstream({ delayMs: 20 })
    app = await startApp({ isWithin: true, env: database.env })
    await sellByCall(app.root, [perCall.model])
    const ratios = { key: 'ModelRatio', value: JSON.stringify({ 'per-token': 1 }) }
    await app.root.put('/api/option/', ratios)
    await addChannel(app.root, { base_url: upstream.url, models: 'per-call,per-token' })
  })

  afterAll(async () => {
    await app.close()
    await upstream.close()
    await closeDatabase()
  })

  async function storm(customer: Customer, model: string) {
    const call = () => chat({ url: app.url, key: customer.key, model })
    const answers = await Promise.all(Array.from({ length: parallelCalls }, call))
    const statuses = new Set(answers.map(({ status }) => status))
    return { statuses, successes: answers.filter(({ status }) => status === 200) }
  }

  async function spentInRows(customer: Customer): Promise<number> {
    const rows = await consumptionRows(app.root, customer.username)
    return rows.reduce((sum, { quota }) => sum + quota, 0)
  }

  it('lets exactly 10 calls at a fixed price through and refuses the others with 403', async () => {
    const customer = await addCustomer(app.root, 'ten-calls', 10 * priceUnits)
    const { statuses, successes } = await storm(customer, 'per-call')
    expect(successes).toHaveLength(10)
    expect(statuses).toEqual(new Set([200, 403]))
    expect(await balanceOf(customer)).toBe(0)
    expect(await spentInRows(customer)).toBe(10 * priceUnits)
  })

  it("holds a token's own limit in the same way, however rich its owner", async () => {
    const customer = await addCustomer(app.root, 'ten-of-token', 1_000 * priceUnits, {
      unlimited_quota: false,
      remain_quota: 10 * priceUnits,
    })
    const { statuses, successes } = await storm(customer, 'per-call')
    expect(successes).toHaveLength(10)
    expect(statuses).toEqual(new Set([200, 403]))
    expect(await balanceOf(customer)).toBe(990 * priceUnits)
    const token = await customer.client.get<{ remain_quota: number }>(
      `/api/token/${customer.token.id}`,
    )
    expect(token.remain_quota).toBe(0)
    for (let again = 0; again < 2; again += 1) {
      const { status, body } = await chat({ url: app.url, key: customer.key, model: 'per-call' })
      expect(status).toBe(403)
      expect(body).toContain('"token_quota_exhausted"')
    }
  })

  it('never goes below zero when calls reserve more than they cost', async () => {
    const customer = await addCustomer(app.root, 'by-token', 5_500)
    const { successes } = await storm(customer, 'per-token')
    expect(successes.length).toBeGreaterThanOrEqual(10)
    // The fake provider reports 10 tokens in; the model's default completion ratio is 1.
    const spent = await spentInRows(customer)
    const balance = await balanceOf(customer)
    expect(balance).toBeGreaterThanOrEqual(0)
    expect(balance).toBe(5_500 - spent)
  })
})
