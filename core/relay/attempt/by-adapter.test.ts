// Adapters whose code never ends: the call ends after the time that an upstream has, its money is free, and where nothing was sent another channel answers.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  setPrices,
  startApp,
} from '#test'
import { type MadeFolders, makeFolders, module } from '../../../test/contained/plugin-folders.ts'

const chat = `
  send: () => ({ method: 'POST', url: 'http://127.0.0.1:9', headers: {}, body: '{}' }),
  readAnswer: () => [],
  streamReader: () => ({ isComplete: true, push: () => [], end: () => [] }),`
const never = '() => new Promise(() => undefined)'

const stuck = module(
  'stuck',
  `import { defineAdapter } from 'tollgate'
export default defineAdapter({
  id: 'stuck',
  channelTypes: { 300101: 'Stuck' },
  baseUrl: 'http://127.0.0.1:9',
  models: [],
  summary: 'Hangs.',
  operations: {
    chat: ({ requestedModel }) => ({ ${chat} ...(requestedModel === 'm-transport' ? {} : { send: ${never} }) }),
    embeddings: { endpoint: ${never} },
  },
  transport: ${never},
})
`,
)

let folders: MadeFolders
let app: App
let upstream: FakeUpstream
let customer: Customer
let customers = 0
const balance = 1_000_000

beforeAll(async () => {
  folders = await makeFolders([stuck])
  upstream = await fakeUpstream()
  app = await startApp({
    isWithin: true,
    env: { PLUGIN_DIRS: folders.path, STREAMING_TIMEOUT: '1', RELAY_TIMEOUT: '3' },
    plugins: ['stuck'],
  })
  await app.root.put('/api/option/', { key: 'RetryTimes', value: '1' })
  const priority = 10
  const models = 'm-alone,m-transport,m-both,m-vector'
  await addChannel(app.root, { type: 300_101, base_url: 'http://127.0.0.1:9', models, priority })
  await addChannel(app.root, { base_url: upstream.url, models: 'm-both,m-transport' })
  await setPrices(app.root, models.split(','), 1)
})
afterAll(async () => {
  await app.close()
  await upstream.close()
  await folders.remove()
})
beforeEach(async () => {
  customers += 1
  customer = await addCustomer(app.root, `patient${customers}`, balance)
})

const post = (path: string, body: object) =>
  fetch(app.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const ask = (model: string) =>
  post('/v1/chat/completions', {
    model,
    stream: true,
    messages: [{ role: 'user', content: 'Hello' }],
  })
const timedOut = { error: { code: 'upstream_timeout' } }

describe('an adapter that never ends', () => {
  it('gives way to another channel before anything was sent', async () => {
    const answer = await ask('m-both')
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('[DONE]')
  })

  it.each(['m-alone', 'm-transport'])(
    'refuses %s, which cannot be tried elsewhere',
    async (model) => {
      const answer = await ask(model)
      expect(answer.status).toBe(504)
      expect(await answer.json()).toMatchObject(timedOut)
      await expect.poll(() => balanceOf(customer)).toBe(balance)
    },
  )

  it('ends with the time for all attempts where that is shorter', async () => {
    const answer = await post('/v1/embeddings', { model: 'm-vector', input: 'Hello' })
    expect(answer.status).toBe(504)
    expect(await answer.json()).toMatchObject(timedOut)
  })
})
