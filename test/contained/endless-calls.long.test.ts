// A call that an adapter never lets end: the process stops all the same, and nothing of it is charged.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addChannel, addCustomer, type App, type Customer, setPrice, startApp } from '#test'
import { createPostgres, hasPostgres, type TestDatabase } from '../harness/databases.ts'
import { type MadeFolders, makeFolders, module } from './plugin-folders.ts'

const endless = module(
  'endless',
  `import { defineAdapter } from 'tollgate'
export default defineAdapter({
  id: 'endless',
  channelTypes: { 300001: 'Endless' },
  baseUrl: 'http://127.0.0.1:9',
  models: ['endless-model'],
  summary: 'Never answers.',
  operations: {
    chat: {
      send: async (_request, { channel }) => {
        await fetch(channel.baseUrl)
        await new Promise(() => undefined)
      },
      readAnswer: () => [],
      streamReader: () => ({ isComplete: true, push: () => [], end: () => [] }),
    },
  },
})
`,
)

const kinds = [
  { of: 'a process', open: undefined, WORKERS: '1' },
  ...(hasPostgres ? [{ of: 'two workers', open: createPostgres, WORKERS: '2' }] : []),
]

describe.each(kinds)('a call of $of that never ends', ({ open, WORKERS }) => {
  let folders: MadeFolders
  let app: App
  let customer: Customer
  let asked: Promise<void>
  let upstream: Server
  let database: TestDatabase | undefined

  beforeAll(async () => {
    asked = new Promise((resolve) => {
      upstream = createServer((_request, response) => {
        response.end()
        resolve()
      })
    })
    await new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', resolve))
    folders = await makeFolders([endless])
    database = await open?.()
    const DATABASE_URL = database?.settings.url ?? ''
    const env = { PLUGIN_DIRS: folders.path, SHUTDOWN_SECONDS: '1', WORKERS, DATABASE_URL }
    app = await startApp({ env, plugins: ['endless'] })
    // Each worker has the plugin from its start.
    await app.restart()
    await addChannel(app.root, {
      type: 300_001,
      base_url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
      models: 'endless-model',
    })
    await setPrice(app.root, 'endless-model', 1)
    customer = await addCustomer(app.root, 'patient', 1_000_000)
  })

  afterAll(async () => {
    await app.close()
    await database?.close()
    await folders.remove()
    upstream.close()
  })

  it('does not keep it from its end, and costs nothing', { timeout: 90_000 }, async () => {
    const call = fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'endless-model',
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    }).then(
      ({ status }) => status,
      () => 0,
    )
    await asked
    expect(await app.process.stop()).toBe(0)
    await app.restart()
    expect(await call).not.toBe(200)
    await expect
      .poll(async () => (await app.root.get<{ quota: number }>(`/api/user/${customer.id}`)).quota)
      .toBe(1_000_000)
  })
})
