// A provider refuses the keys of hundreds of channels at once: they are all disabled, and nobody else notices.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callShop, sellByCall, perCall } from '../../harness/call-shop.ts'
import { chat } from '../../harness/relay-call.ts'
import { addChannel, addCustomer } from '../../harness/shop.ts'
import { startSteadyLoad } from '../../harness/steady-load.ts'

const channels = 300
const model = 'out'
const keys = Array.from({ length: channels }, (_, index) => `sk-${index}`).join('\n')

describe('a provider that refuses all its keys', () => {
  const shop = callShop({ isWithin: true })
  let provider: Server

  beforeAll(async () => {
    provider = createServer((request, response) => {
      request.resume()
      request.once('end', () => {
        response.writeHead(401, { 'content-type': 'application/json' })
        response.end('{"error":{"message":"Incorrect API key","code":"invalid_api_key"}}')
      })
    })
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void provider.close())

  it('loses its channels, while calls of others are answered and charged', async () => {
    const { root } = shop.app
    await sellByCall(root, [perCall.model, model])
    for (const [key, value] of [
      ['AutomaticDisableChannelEnabled', 'true'],
      ['RetryTimes', '3'],
    ])
      await root.put('/api/option/', { key, value })
    const base_url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    await addChannel(root, { base_url, models: model, key: keys, name: 'of the provider' })
    const customer = await addCustomer(root, 'bystander', 1_000_000_000)
    const unlucky = { url: shop.app.url, key: customer.key, model }

    const bystander = shop.load(customer, 4)
    const load = startSteadyLoad(() => unlucky, 12)
    const isOver = async () => (await chat(unlucky)).status === 503
    await expect.poll(isOver, { timeout: 60_000, interval: 200 }).toBe(true)
    const refused = await load.stop()
    const served = await bystander.stop()

    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401, 503]))
    expect(served.length).toBeGreaterThan(0)
    expect(served.filter(({ status, isComplete }) => status !== 200 || !isComplete)).toEqual([])
    const page = await root.get<{ id: number }[]>('/api/channel/?p=0&page_size=100&status=3')
    expect(page).toHaveLength(100)
    const left = await root.get<{ name: string }[]>('/api/channel/?p=0&page_size=100&status=1')
    expect(left.map(({ name }) => name)).not.toContain('of the provider')
  }, 120_000)
})
