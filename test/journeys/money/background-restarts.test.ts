// A response that its upstream makes in the background is charged once, whatever becomes of the process that asked for it.
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
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
  type UpstreamBehaviour,
  writeEvents,
} from '#test'
import { expectSoundBooks } from '../../harness/books.ts'
import { gatewayDatabases } from '../../harness/gateway-databases.ts'

const BALANCE = 1_000_000
const usage = { input_tokens: 10, output_tokens: 5000, total_tokens: 5010 }
const body = { model: 'm', input: 'Hi', background: true } as const
/** The job comes round every five seconds: each look costs the gateway a call. */
const patient = { timeout: 120_000, interval: 250 }
const long = { timeout: 400_000 }

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
const begun = (id: string) => [
  { type: 'response.created', sequence_number: 0, response: response(id, 'queued') },
  { type: 'response.output_text.delta', sequence_number: 1, item_id: 'msg_1', delta: 'Hello' },
]

/** A customer with one response, and what the upstream says when it is asked for it. */
interface Waiter {
  customer: Customer
  id: string
  now: object | undefined
}

// The databases side by side: nearly all of the time is waited for the job that looks after what a process has left.
describe.each(gatewayDatabases)('on $name', { ...long, concurrent: true }, ({ open }) => {
  describe('a background response', { concurrent: false }, () => {
    let app: App
    let upstream: ScriptedUpstream
    let closeDatabase: () => Promise<void>
    const waiters = new Map<string, Waiter>()

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

    /** @param begins how the upstream answers the call itself */
    async function newWaiter(begins: (id: string) => UpstreamBehaviour): Promise<Waiter> {
      const id = `resp_${waiters.size + 1}`
      const customer = await addCustomer(app.root, `waiter-${waiters.size + 1}`, BALANCE)
      const waiter: Waiter = { customer, id, now: response(id, 'in_progress') }
      waiters.set(id, waiter)
      upstream.calls.length = 0
      upstream.behave((answer, call) => {
        if (call.path === '/v1/responses') return begins(id)(answer, call)
        const { now } = waiters.get(call.path.split('/').at(-1) ?? '') ?? {}
        if (now) return sendJson(answer, now)
        return sendJson(answer, { error: { message: 'gone', type: 'x' } }, 404)
      })
      return waiter
    }

    const responses = ({ customer }: Waiter) =>
      new OpenAI({ apiKey: customer.key, baseURL: `${app.url}/v1`, maxRetries: 0 }).responses
    const rows = ({ customer }: Waiter) => consumptionRows(app.root, customer.username)
    const become = (waiter: Waiter, status: string, more?: object) =>
      (waiter.now = response(waiter.id, status, more))

    async function queued(): Promise<Waiter> {
      const waiter = await newWaiter((id) => (answer) => sendJson(answer, response(id, 'queued')))
      await responses(waiter).create(body)
      return waiter
    }

    /** Its first words have come; nobody reads the rest. */
    async function streaming(): Promise<Waiter> {
      const waiter = await newWaiter((id) => (answer) => writeEvents(answer, begun(id)))
      const stream = await responses(waiter).create({ ...body, stream: true })
      const events = stream[Symbol.asyncIterator]()
      for (let type = ''; type !== 'response.output_text.delta'; )
        type = (await events.next()).value?.type ?? ''
      return waiter
    }

    /** Not `expect.poll`, which knows no test while others run at the same time. */
    const eventually = (waiter: Waiter, row: object) =>
      vi.waitFor(async () => expect(await rows(waiter)).toMatchObject([row]), patient)

    async function expectCharged(waiter: Waiter, units: number): Promise<void> {
      await eventually(waiter, { quota: units })
      const user = await app.root.get(`/api/user/search?keyword=${waiter.customer.username}`)
      expect(user).toMatchObject({ items: [{ quota: BALANCE - units, used_quota: units }] })
      await expectSoundBooks(app)
    }

    /** It begins with a failure, and comes whole from the second channel. */
    async function fromElsewhere(): Promise<Waiter> {
      let calls = 0
      const waiter = await newWaiter((id) => (answer) => {
        calls += 1
        const error = { code: 'server_error', message: 'Try again' }
        const failed = { type: 'response.failed', response: response(id, 'failed', { error }) }
        const done = response(id, 'completed', { usage })
        const end = { type: 'response.completed', sequence_number: 2, response: done }
        writeEvents(answer, calls === 1 ? [begun(id)[0] ?? {}, failed] : [...begun(id), end])
        answer.end()
      })
      const stream = await responses(waiter).create({ ...body, stream: true })
      for await (const event of stream) void event
      expect(calls).toBe(2)
      await expectCharged(waiter, 5010)
      return waiter
    }

    // The process ends here: what is tested after the kill runs within.
    it.each(['kill', 'stop'] as const)('is charged once after a %s', async (end) => {
      const [whole, streamed] = [await queued(), await streaming()]
      const [failed, forgotten] = [await queued(), await queued()]
      const elsewhere = await fromElsewhere()
      await app.goOnWithin(end)
      become(whole, 'completed', { usage })
      become(streamed, 'completed', { usage })
      become(failed, 'failed')
      forgotten.now = undefined
      await expectCharged(whole, 5010)
      expect((await rows(whole))[0]).toMatchObject({ prompt_tokens: 10, completion_tokens: 5000 })
      await expectCharged(streamed, 5010)
      await expectCharged(failed, 0)
      await eventually(forgotten, { completion_tokens: 0 })
      expect((await rows(forgotten))[0]?.quota).toBeGreaterThan(0)
      expect(await rows(elsewhere)).toHaveLength(1)
      await expectSoundBooks(app)
    })

    it('whose stream breaks before its first output is asked for once, and charged', async () => {
      const waiter = await newWaiter((id) => async (answer) => {
        writeEvents(answer, begun(id).slice(0, 1))
        await flushed(answer)
        answer.destroy()
      })
      const seen: string[] = []
      const stream = await responses(waiter).create({ ...body, stream: true })
      const read = async () => {
        for await (const event of stream) seen.push(event.type)
      }
      await read().catch(() => undefined)
      expect(seen[0]).toBe('response.created')
      become(waiter, 'completed', { usage })
      await expectCharged(waiter, 5010)
      expect(upstream.calls.filter(({ path }) => path === '/v1/responses')).toHaveLength(1)
    })

    it('whose stream begins with a failure is asked for at another channel, and charged once', async () => {
      expect(await rows(await fromElsewhere())).toHaveLength(1)
    })
  })
})
