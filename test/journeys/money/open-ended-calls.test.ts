// Many calls at once that set their answers no limit: what is reserved for them must hold the balance near zero.
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
import { chat } from '../../harness/relay-call.ts'

const parallelCalls = 100
/** What each call really costs; its prompt and the option PreConsumedQuota let it in for 500. */
const costUnits = 40_000
const estimatedUnits = 500

describe('100 calls at once that set their answers no limit', () => {
  let app: App
  let upstream: FakeUpstream

  beforeAll(async () => {
    upstream = await fakeUpstream({ delayMs: 300, promptTokens: 10, completionTokens: 39_990 })
    app = await startApp({ isWithin: true })
    for (const key of ['ModelRatio', 'CompletionRatio']) {
      const value = JSON.stringify({ known: 1, unknown: 1 })
      await app.root.put('/api/option/', { key, value })
    }
    await addChannel(app.root, { base_url: upstream.url, models: 'known,unknown' })
  })

  afterAll(async () => {
    await app.close()
    await upstream.close()
  })

  async function storm({ key }: Customer, model: string): Promise<number> {
    const call = () => chat({ url: app.url, key, model })
    const answers = await Promise.all(Array.from({ length: parallelCalls }, call))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]))
    return answers.filter(({ status }) => status === 200).length
  }

  async function rulesOf(customer: Customer): Promise<string[]> {
    const rows = await consumptionRows(app.root, customer.username)
    return rows.map(({ other }) => {
      const { receipt } = JSON.parse(other) as { receipt: { reserved: { rule: string } } }
      return receipt.reserved.rule
    })
  }

  it('end near zero once it is known what such calls cost', async () => {
    const first = await addCustomer(app.root, 'first', 1_000_000)
    expect((await chat({ url: app.url, key: first.key, model: 'known' })).status).toBe(200)
    const second = await addCustomer(app.root, 'second', 5_000)
    // One by its estimate, and none besides.
    expect(await storm(second, 'known')).toBe(1)
    expect(await balanceOf(second)).toBe(5_000 - costUnits)
    const third = await addCustomer(app.root, 'third', 2.5 * costUnits)
    expect(await storm(third, 'known')).toBe(3)
    expect(await balanceOf(third)).toBe(-0.5 * costUnits)
    expect((await rulesOf(third)).toSorted()).toEqual(['estimate', 'recent_model', 'recent_model'])
    await app.root.put('/api/user/', { id: third.id, quota: 2.5 * costUnits })
    expect(await storm(third, 'known')).toBe(3)
    expect(await rulesOf(third)).toContain('recent_account')
  })

  it('are no way round: a small limit counts for each answer that is asked for', async () => {
    const customer = await addCustomer(app.root, 'many-answers', 5_000)
    const ask = (body: object) =>
      fetch(`${app.url}/v1/${'prompt' in body ? '' : 'chat/'}completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'known', max_tokens: 50, ...body }),
      })
    const messages = [{ role: 'user', content: 'Hi' }]
    expect((await ask({ messages, n: 128 })).status).toBe(403)
    expect((await ask({ prompt: Array.from({ length: 128 }, () => 'Hi') })).status).toBe(403)
    expect((await ask({ messages, n: 2 })).status).toBe(200)
  })

  it('are let in by their estimates while nobody has called the model, and no more than these fit', async () => {
    const customer = await addCustomer(app.root, 'burst', 10 * estimatedUnits)
    const successes = await storm(customer, 'unknown')
    expect(successes).toBeGreaterThanOrEqual(1)
    expect(successes).toBeLessThanOrEqual(10)
    expect(await balanceOf(customer)).toBe(10 * estimatedUnits - successes * costUnits)
    // From then on it is known.
    const next = await addCustomer(app.root, 'after-burst', 10 * estimatedUnits)
    expect(await storm(next, 'unknown')).toBe(1)
  })
})
