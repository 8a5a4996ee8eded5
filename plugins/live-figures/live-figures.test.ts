import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type App } from '../../test/harness/app.ts'
import { addChannel, addCustomer, setPrice, type Customer } from '../../test/harness/shop.ts'
import { fakeUpstream, type FakeUpstream } from '../../test/harness/upstream.ts'
import type { LiveFigures } from './schema.ts'

describe('the live figures', () => {
  let upstream: FakeUpstream
  let app: App
  let customer: Customer

  beforeAll(async () => {
    upstream = await fakeUpstream()
    app = await startApp({ isWithin: true })
    await setPrice(app.root, 'gpt-4o', 1)
    await addChannel(app.root, { base_url: upstream.url, models: 'gpt-4o' })
    await addChannel(app.root, { base_url: 'http://127.0.0.1:9', models: 'gone', name: 'nobody' })
    await setPrice(app.root, 'gone', 1)
    customer = await addCustomer(app.root, 'ada', 10_000_000)
  })
  afterAll(async () => {
    await app.close()
    await upstream.close()
  })

  const chat = async (model: string) => {
    const answer = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${customer.key}` },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }),
    })
    await answer.text()
    return answer.status
  }

  it('count calls as they are answered, and name the channels that fail', async () => {
    expect(await chat('gpt-4o')).toBe(200)
    expect(await chat('gone')).toBeGreaterThanOrEqual(500)
    expect(await chat('never')).toBe(404)
    const live = await app.root.get<LiveFigures>('/api/live')
    expect(live.nodes).toHaveLength(1)
    const [node] = live.nodes
    expect(node).toMatchObject({ calls: 3, failed: 1, is_database_away: false })
    expect(node?.generation).toBeGreaterThan(0)
    expect(node?.in_flight).toBe(0)
    expect(node?.tokens).toBeGreaterThan(0)
    expect(node?.units).toBeGreaterThan(0)
    expect(node?.duration_p95_ms).toBeGreaterThan(0)
    expect(node?.rss_bytes).toBeGreaterThan(2 ** 24)
    expect(live.channels).toMatchObject({ enabled: 2, disabled: 0, auto_disabled: 0 })
    expect(live.channels.failing).toMatchObject([{ name: 'nobody', succeeded: 0 }])
  })

  it('are for admins', async () => {
    expect(await customer.client.call('GET', '/api/live')).toMatchObject({ success: false })
    const nobody = await fetch(`${app.url}/api/live`)
    expect(nobody.status).toBe(401)
  })
})
