// Upstreams whose figures cannot be: no account is ruined by them, and no client waits for ever.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  consumptionRows,
  openaiClient,
  setPrice,
  startApp,
} from '#test'

let app: App
let usage: Record<string, unknown>
let operationUsage: Record<string, unknown>
const upstream = createServer((incoming, response) => {
  const choice = { index: 0, delta: { content: 'one two three' }, finish_reason: 'stop' }
  const chunk = (more: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...more })}\n\n`
  incoming.resume().once('end', () => {
    if (!incoming.url?.includes('chat')) {
      const data = [{ object: 'embedding', index: 0, embedding: [1, 2] }]
      response.writeHead(200, { 'content-type': 'application/json' })
      const results = [{ flagged: false }]
      response.end(JSON.stringify({ object: 'list', data, results, usage: operationUsage }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ choices: [choice] }))
    response.end(`${chunk({ choices: [], usage })}data: [DONE]\n\n`)
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  app = await startApp({ isWithin: true })
  await setPrice(app.root, 'odd', 1)
  await setPrice(app.root, 'dear', 1e13)
  const { port } = upstream.address() as AddressInfo
  await addChannel(app.root, { base_url: `http://127.0.0.1:${port}`, models: 'odd,dear' })
})

afterAll(async () => {
  await app.close()
  upstream.close()
})

async function ask(key: string, model: string): Promise<void> {
  const stream = await openaiClient(app.url, key).chat.completions.create(
    { model, stream: true, messages: [{ role: 'user', content: 'Hi' }] },
    { timeout: 60_000 },
  )
  for await (const _chunk of stream) continue
}

describe('usage that cannot be', () => {
  it.each([
    { prompt_tokens: 9e15, completion_tokens: 5 },
    { prompt_tokens: 1e18, completion_tokens: 1e300 },
    { prompt_tokens: -5, completion_tokens: '7' },
  ])('is counted by us instead: %j', async (figures) => {
    usage = figures
    const name = `odd-${figures.prompt_tokens}`
    const customer = await addCustomer(app.root, name, 1_000_000)
    await ask(customer.key, 'odd')
    const [row] = await consumptionRows(app.root, name)
    expect(row?.quota).toBeGreaterThan(0)
    expect(row?.quota).toBeLessThan(100)
    expect(await balanceOf(customer)).toBe(1_000_000 - (row?.quota ?? 0))
  })

  it.each([
    ['/v1/embeddings', { input: 'one two' }, { prompt_tokens: 9e15 }],
    ['/v1/embeddings', { input: 'one two' }, { prompt_tokens: 2.4, total_tokens: 1e308 }],
    ['/v1/embeddings', { input: 'one two' }, { prompt_tokens: -3 }],
    ['/v1/moderations', { input: 'one two' }, { input_tokens: 1e308, output_tokens: 1e308 }],
  ])('is bounded for every other route: POST %s %j %j', async (path, body, figures) => {
    operationUsage = figures
    const name = `plain-${Math.random().toString(36).slice(2)}`
    const customer = await addCustomer(app.root, name, 1_000_000)
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'odd', ...body }),
    })
    expect(response.status).toBe(200)
    const [row] = await consumptionRows(app.root, name)
    expect(row?.quota).toBeGreaterThan(0)
    expect(row?.quota).toBeLessThan(100)
    expect(await balanceOf(customer)).toBe(1_000_000 - (row?.quota ?? 0))
  })

  it('ends the answer with an error when the charge cannot be booked', async () => {
    usage = { prompt_tokens: 1_000, completion_tokens: 1_000 }
    const customer = await addCustomer(app.root, 'rich', 8e15)
    await expect(ask(customer.key, 'dear')).rejects.toThrow(/too large/)
    expect(await balanceOf(customer)).toBe(8e15)
  })
})
