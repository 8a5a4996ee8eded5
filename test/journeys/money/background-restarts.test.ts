// A response that its upstream makes in the background is charged once, whatever becomes of the process that asked for it.
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  consumptionRows,
  type Customer,
  flushed,
  type ScriptedUpstream,
  scriptedUpstream,
  sendJson,
  setPrice,
  startApp,
  writeEvents,
} from '#test'
import { expectSoundBooks } from '../../harness/books.ts'
import { gatewayDatabases } from '../../harness/gateway-databases.ts'

const BALANCE = 1_000_000
const usage = { input_tokens: 10, output_tokens: 5000, total_tokens: 5010 }
const response = (id: string, status: string, more: object = {}) => ({
  id,
  object: 'response',
  created_at: 1,
  model: 'm',
  background: true,
  output: [],
  ...more,
  status,
})
const patient = { timeout: 60_000 }
const long = { timeout: 120_000 }

describe.each(gatewayDatabases)('a background response, on $name,', long, ({ open }) => {
  let app: App
  let upstream: ScriptedUpstream
  let customer: Customer
  let closeDatabase: () => Promise<void>
  let count = 0
  let id = ''
  /** What the upstream says of it when it is asked. */
  let now: object = {}

  beforeAll(async () => {
    const database = await open()
    closeDatabase = database.close
    upstream = await scriptedUpstream()
    app = await startApp({ env: { ...database.env, DRAIN_SECONDS: '0', SHUTDOWN_SECONDS: '1' } })
    await addChannel(app.root, { base_url: upstream.url, models: 'm' })
    await addChannel(app.root, { base_url: upstream.url, models: 'm' })
    await setPrice(app.root, 'm', 1)
    await app.root.put('/api/option/', { key: 'RetryTimes', value: '3' })
  })

  afterAll(async () => {
    await app.close()
    await upstream.close()
    await closeDatabase()
  })

  beforeEach(async () => {
    count += 1
    id = `resp_${count}`
    now = response(id, 'in_progress')
    customer = await addCustomer(app.root, `waiter-${count}`, BALANCE)
    upstream.calls.length = 0
    upstream.behave((answer, { path }) =>
      sendJson(answer, path === '/v1/responses' ? response(id, 'queued') : now),
    )
  })

  const responses = () =>
    new OpenAI({ apiKey: customer.key, baseURL: `${app.url}/v1`, maxRetries: 0 }).responses
  const body = { model: 'm', input: 'Hi', background: true } as const
  const rows = () => consumptionRows(app.root, customer.username)
  const begun = () => [
    { type: 'response.created', sequence_number: 0, response: response(id, 'queued') },
    { type: 'response.output_text.delta', sequence_number: 1, item_id: 'msg_1', delta: 'Hello' },
  ]

  async function expectCharged(units: number): Promise<void> {
    await expect.poll(rows, patient).toMatchObject([{ quota: units }])
    const user = await app.root.get(`/api/user/search?keyword=${customer.username}`)
    expect(user).toMatchObject({ items: [{ quota: BALANCE - units, used_quota: units }] })
    await expectSoundBooks(app)
  }

  it('is charged after a restart', async () => {
    await responses().create(body)
    await app.restart('stop')
    now = response(id, 'completed', { usage })
    await expectCharged(5010)
    expect((await rows())[0]).toMatchObject({ prompt_tokens: 10, completion_tokens: 5000 })
  })

  it('streamed, is charged after a kill', async () => {
    upstream.behave((answer, { path }) =>
      path === '/v1/responses' ? writeEvents(answer, begun()) : sendJson(answer, now),
    )
    const stream = await responses().create({ ...body, stream: true })
    const read = async () => {
      for await (const event of stream)
        if (event.type === 'response.output_text.delta') await app.restart('kill')
    }
    await read().catch(() => undefined)
    now = response(id, 'completed', { usage })
    await expectCharged(5010)
  })

  it('that failed meanwhile costs nothing', async () => {
    await responses().create(body)
    await app.restart('kill')
    now = response(id, 'failed')
    await expectCharged(0)
  })

  it('that the upstream knows no more costs its prompt', async () => {
    upstream.behave((answer, { path }) =>
      path === '/v1/responses'
        ? sendJson(answer, response(id, 'queued'))
        : sendJson(answer, { error: { message: 'gone', type: 'x' } }, 404),
    )
    await responses().create(body)
    await app.restart('kill')
    await expect.poll(rows, patient).toMatchObject([{ completion_tokens: 0 }])
    expect((await rows())[0]?.quota).toBeGreaterThan(0)
    await expectSoundBooks(app)
  })

  it('whose stream breaks before its first output is asked for once, and charged', async () => {
    upstream.behave(async (answer, { path }) => {
      if (path !== '/v1/responses') return sendJson(answer, now)
      writeEvents(answer, begun().slice(0, 1))
      await flushed(answer)
      answer.destroy()
    })
    const seen: string[] = []
    const stream = await responses().create({ ...body, stream: true })
    const read = async () => {
      for await (const event of stream) seen.push(event.type)
    }
    await read().catch(() => undefined)
    expect(seen[0]).toBe('response.created')
    now = response(id, 'completed', { usage })
    await expectCharged(5010)
    expect(upstream.calls.filter(({ path }) => path === '/v1/responses')).toHaveLength(1)
  })

  it('whose stream begins with a failure is asked for at another channel, and charged once', async () => {
    let calls = 0
    upstream.behave((answer, { path }) => {
      if (path !== '/v1/responses') return sendJson(answer, now)
      calls += 1
      const error = { code: 'server_error', message: 'Try again' }
      const failed = { type: 'response.failed', response: response(id, 'failed', { error }) }
      const done = response(id, 'completed', { usage })
      const end = { type: 'response.completed', sequence_number: 2, response: done }
      writeEvents(answer, calls === 1 ? [begun()[0] ?? {}, failed] : [...begun(), end])
      answer.end()
    })
    const stream = await responses().create({ ...body, stream: true })
    for await (const event of stream) void event
    expect(calls).toBe(2)
    await expectCharged(5010)
    await app.restart('kill')
    expect(await rows()).toHaveLength(1)
  })
})
