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
let rich: Customer
let badId: number

beforeAll(async () => {
  folders = await makeFolders([badAdapter])
  upstream = await fakeUpstream()
  app = await startApp({ env: { PLUGIN_DIRS: folders.path }, plugins: ['bad-adapter'] })
  const names = [...adapterFaults.map(({ fault }) => fault), ...badUsage]
  const bad = { type: 300_002, base_url: 'https://bad.example' }
  badId = await addChannel(app.root, { ...bad, models: names.join(',') })
  await addChannel(app.root, { ...bad, priority: 10, models: 'shared' })
  await addChannel(app.root, { base_url: upstream.url, models: 'shared' })
  for (const model of [...names, 'shared']) await setPrice(app.root, model, 1)
  await app.root.put('/api/option/', { key: 'RetryTimes', value: '1' })
  rich = await addCustomer(app.root, 'rich', 1_000_000)
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

interface Line {
  msg: string
  plugin?: string
}

const lines = ({ process }: App): Line[] =>
  process
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line)

describe('a faulty adapter', () => {
  it.each(adapterFaults)('is named: $fault', async (one) => {
    const { fault: model, part, blamed = part, says, isStream: stream, isOfFailure } = one
    const { status, text } = await ask(rich, { model, stream: stream === true })
    const said = `the adapter "bad-adapter" failed in ${blamed}(): `
    const isSaid = ({ msg, plugin }: Line) =>
      plugin === 'bad-adapter' && msg.startsWith(said) && says.test(msg.slice(said.length))
    await expect.poll(() => lines(app).some(isSaid)).toBe(true)
    if (isOfFailure) expect(status).toBe(400)
    else
      expect([status, text]).toEqual([
        500,
        expect.stringContaining('The part of the gateway that serves'),
      ])
    expect(text).not.toContain('bad-adapter')
  })

  it('leaves no money reserved, whatever it does', async () => {
    const customer = await addCustomer(app.root, 'poor', 1_000)
    for (let round = 0; round < 3; round += 1)
      for (const { fault: model, isStream: stream = false } of adapterFaults) {
        const { status } = await ask(customer, { model, stream, max_tokens: 400 })
        expect([model, status]).not.toEqual([model, 403])
      }
  })

  it('costs no call that another channel can serve', async () => {
    for (const stream of [false, true])
      expect(await ask(rich, { model: 'shared', stream })).toMatchObject({ status: 200 })
  })

  it.each(badUsage)('that miscounts is charged by the gateway: %s', async (model) => {
    const customer = await addCustomer(app.root, model.replace('usage-', ''), 10_000)
    for (const stream of [false, true]) {
      const { status, text } = await ask(customer, { model, stream })
      expect([status, text]).toEqual([200, expect.stringContaining('Hi')])
      expect(text).not.toMatch(/":-\d|_tokens":null/)
    }
    const { quota } = await app.root.get<{ quota: number }>(`/api/user/${customer.id}`)
    expect(quota).toBeLessThan(10_000)
    expect(quota).toBeGreaterThan(9_900)
  })

  it('is counted on the screen of plugins, and told whoever tests its channel', async () => {
    const rows = await app.root.get<{ id: string; hooks: object[] }[]>('/api/plugin/')
    const own = rows.find(({ id }) => id === 'bad-adapter')
    expect(own?.hooks).toMatchObject([{ point: 'adapter', last_error: expect.any(String) }])
    const tested = await app.root.call('GET', `/api/channel/test/${badId}?model=send-throws`)
    expect(tested.message).toContain('the adapter "bad-adapter" failed in send(): no')
  })
})
