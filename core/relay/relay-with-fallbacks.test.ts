import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  consumptionRows,
  type Customer,
  setPrice,
  startApp,
} from '#test'

let app: App
let upstream: Server
let customer: Customer
let seen: Record<string, unknown>[] = []

const statuses: Record<string, number> = { down: 503, broken: 400, good: 200, cheap: 200 }

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>
      seen.push(body)
      const status = statuses[String(body['model'])] ?? 404
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(status === 200 ? completion(body['model']) : refusal))
    })
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const { port } = upstream.address() as AddressInfo
  app = await startApp({ isWithin: true })
  for (const model of Object.keys(statuses)) {
    await addChannel(app.root, { base_url: `http://127.0.0.1:${port}`, models: model })
    await setPrice(app.root, model, model === 'cheap' ? 1 : 10)
  }
  customer = await addCustomer(app.root, 'chooser', 1_000_000)
})

beforeEach(() => {
  seen = []
})

afterAll(async () => {
  await app.close()
  upstream.closeAllConnections()
  upstream.close()
})

const refusal = { error: { message: 'no', type: 'server_error', code: null } }
const completion = (model: unknown) => ({
  id: 'c',
  object: 'chat.completion',
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

async function ask(body: object) {
  const answer = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.key}` },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }], ...body }),
  })
  const json = (await answer.json()) as { model?: string; error?: { code: string; param: string } }
  return { status: answer.status, ...json }
}

describe('a list of models in a request', () => {
  it.each([
    { what: 'a failing model', body: { model: 'down', models: ['good'] }, tried: ['down', 'good'] },
    { what: 'an unknown model', body: { model: 'nothing', models: ['good'] }, tried: ['good'] },
    {
      what: 'no model beside the list',
      body: { models: ['down', 'nothing', 'good'] },
      tried: ['down', 'good'],
    },
    {
      what: 'the model in its own list',
      body: { model: 'down', models: ['down', 'good'] },
      tried: ['down', 'good'],
    },
  ])('is tried in order after $what', async ({ body, tried }) => {
    expect(await ask(body)).toMatchObject({ status: 200, model: 'good' })
    expect(seen.map(({ model }) => model)).toEqual(tried)
    expect(seen.every((sent) => !('models' in sent))).toBe(true)
  })

  it('charges the model that answered, at its price, once', async () => {
    const before = await balanceOf(customer)
    await ask({ model: 'down', models: ['cheap'] })
    expect(await balanceOf(customer)).toBe(before - 2)
    const [row] = await consumptionRows(app.root, customer.username)
    expect(row).toMatchObject({ model_name: 'cheap', quota: 2 })
    expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ fallback_of: 'down' })
  })

  it('ends with the first answer', async () => {
    await ask({ model: 'good', models: ['cheap'] })
    expect(seen).toHaveLength(1)
  })

  it("tells the caller's own fault instead of asking elsewhere", async () => {
    expect((await ask({ model: 'broken', models: ['good'] })).status).toBe(400)
    expect(seen).toHaveLength(1)
  })

  it('tells the failure of the last one', async () => {
    expect(await ask({ model: 'nothing', models: ['down'] })).toMatchObject({ status: 503 })
    expect(await ask({ model: 'down', models: ['nothing'] })).toMatchObject({
      status: 404,
      error: { code: 'model_not_found' },
    })
  })

  it.each([{ a: 1 }, [1], [''], Array.from({ length: 11 }, (_, index) => `m${index}`)])(
    'refuses the list %j',
    async (models: unknown) => {
      expect(await ask({ model: 'good', models })).toMatchObject({
        status: 400,
        error: { param: 'models' },
      })
    },
  )
})
