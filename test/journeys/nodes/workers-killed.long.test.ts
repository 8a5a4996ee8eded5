// All workers of a port are killed at once, under load.
import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  addCustomer,
  type App,
  balanceOf,
  consumptionRows,
  fakeUpstream,
  type FakeUpstream,
  startApp,
} from '#test'
import { createPostgres, databaseKinds, type TestDatabase } from '../../harness/databases.ts'
import { startSteadyLoad } from '../../harness/steady-load.ts'
import { furnish } from './common-truth.ts'

const model = 'per-call'
const priceUnits = 1_000
const rich = 100_000_000
const eventually = { timeout: 40_000, interval: 50 }

describe.runIf(databaseKinds.some(({ name }) => name === 'PostgreSQL'))(
  'a port whose workers are all killed',
  () => {
    let test: TestDatabase
    let upstream: FakeUpstream
    let app: App

    beforeAll(async () => {
      test = await createPostgres()
      upstream = await fakeUpstream({ delayMs: 10 })
      const env = { DATABASE_URL: test.settings.url ?? '', WORKERS: '2', PORT: await freePort() }
      app = await startApp({ env })
      await furnish({ here: app, upstream })
    })

    afterAll(async () => {
      await app.close()
      const { code, output } = await app.command('ledger', 'verify')
      await upstream.close()
      await test.close()
      expect({ code, output }).toMatchObject({ code: 0 })
    })

    async function freePort(): Promise<string> {
      for (let port = 21_150; ; port += 1) {
        const socket = connect(port, '127.0.0.1')
        const isTaken = await Promise.race([
          once(socket, 'connect').then(() => true),
          once(socket, 'close').then(() => false),
        ]).catch(() => false)
        socket.destroy()
        if (!isTaken) return String(port)
      }
    }

    const workers = async (): Promise<number[]> => {
      const { nodes } = await app.root.get<{ nodes: { host: string }[] }>('/api/live')
      return nodes.map(({ host }) => Number(/\((\d+)\)$/.exec(host)?.[1]))
    }

    /** The status, or that nobody listens. */
    const knock = async (
      path: string,
    ): Promise<{ status: number | 'refused'; answer?: Response }> => {
      try {
        const answer = await fetch(app.url + path, { method: 'POST', body: '{}' })
        return { status: answer.status, answer }
      } catch {
        return { status: 'refused' }
      }
    }

    it('says 503 and when to come again until one is back, and has charged each answer once', async () => {
      const customer = await addCustomer(app.root, 'ada', rich)
      await vi.waitFor(async () => expect(await workers()).toHaveLength(2), eventually)
      const load = startSteadyLoad(() => ({ url: app.url, key: customer.key, model }), 6)
      await vi.waitFor(() => expect(upstream.callCount).toBeGreaterThan(50), eventually)
      for (const pid of await workers()) process.kill(pid, 'SIGKILL')
      await vi.waitFor(async () => expect((await knock('/v1/messages')).status).toBe(503), {
        timeout: 1_000,
        interval: 10,
      })
      const [anthropic, openai, gemini, admin] = await Promise.all(
        [
          '/v1/messages',
          '/v1/chat/completions',
          `/v1beta/models/${model}:generateContent`,
          '/api/user/',
        ].map(knock),
      )
      for (const seen of [anthropic, openai, gemini, admin]) {
        expect(seen?.status).toBe(503)
        expect(seen?.answer?.headers.get('retry-after')).toMatch(/^\d+$/)
      }
      expect(await anthropic?.answer?.json()).toMatchObject({ error: { type: 'overloaded_error' } })
      expect(await openai?.answer?.json()).toMatchObject({ error: { code: 'gateway_starting' } })
      expect(await gemini?.answer?.json()).toMatchObject({ error: { status: 'UNAVAILABLE' } })
      expect(await admin?.answer?.json()).toMatchObject({ success: false })
      const before = upstream.callCount
      await vi.waitFor(() => expect(upstream.callCount).toBeGreaterThan(before + 50), eventually)
      const answers = await load.stop()
      const count = (status: number) => answers.filter((one) => one.status === status).length
      expect(count(503)).toBeGreaterThan(0)
      // What the workers had in hand, and the moments in which the port changes hands.
      expect(count(0)).toBeLessThan(count(503))
      expect(answers.length).toBe(count(0) + count(200) + count(503))
      const complete = answers.filter(({ status, isComplete }) => status === 200 && isComplete)
      await vi.waitFor(async () => expect(await workers()).toHaveLength(2), eventually)
      const rows = await consumptionRows(app.root, customer.username)
      const ids = rows.map(({ request_id }) => request_id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(await balanceOf(customer)).toBe(rich - ids.length * priceUnits)
      expect(complete.filter(({ requestId }) => !ids.includes(requestId))).toEqual([])
    }, 120_000)
  },
)
