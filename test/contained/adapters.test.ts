// An adapter whose functions throw or give what the contract does not allow. It costs only the calls that it alone can serve: their money comes
// back, other channels take the rest, and the log, the usage log and the test of the channel say whose fault it was.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  setPrice,
  startApp,
} from '#test'
import { adapterFaults, badAdapter, badUsage } from './bad-adapter.ts'
import { type MadeFolders, makeFolders } from './plugin-folders.ts'

let folders: MadeFolders
let app: App
let upstream: FakeUpstream

beforeAll(async () => {
  folders = await makeFolders([badAdapter])
  upstream = await fakeUpstream()
  app = await startApp({ env: { PLUGIN_DIRS: folders.path }, plugins: ['bad-adapter'] })
  const names = [...adapterFaults.map(({ fault }) => fault), ...badUsage]
  const bad = { type: 300_002, base_url: 'https://bad.example' }
  await addChannel(app.root, { ...bad, models: names.join(',') })
  await addChannel(app.root, { ...bad, priority: 10, models: 'shared' })
  await addChannel(app.root, { base_url: upstream.url, models: 'shared' })
  for (const model of [...names, 'shared']) await setPrice(app.root, model, 1)
})

afterAll(async () => {
  await app.close()
  await upstream.close()
  await folders.remove()
})

const ask = async (customer: Customer, body: object) => {
  const answer = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...body }),
  })
  return { status: answer.status, text: await answer.text() }
}

describe('a faulty adapter', () => {
  it('leaves no money reserved, whatever it does', async () => {
    const customer = await addCustomer(app.root, 'poor', 1_000)
    for (let round = 0; round < 3; round += 1)
      for (const { fault: model, isStream: stream = false } of adapterFaults) {
        const { status } = await ask(customer, { model, stream, max_tokens: 400 })
        expect([model, status]).not.toEqual([model, 403])
      }
  })
})
