// All workers of a port are killed at once, under load.
import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { addCustomer } from '#test'
import { expectChargedOnce } from '../../harness/books.ts'
import { callShop, perCall } from '../../harness/call-shop.ts'
import { createPostgres, hasPostgres, type TestDatabase } from '../../harness/databases.ts'
import { workerProcesses } from './worker-processes.ts'

const { model, units } = perCall
const balance = 100_000_000
const eventually = { timeout: 40_000, interval: 50 }

describe.runIf(hasPostgres).each(['a known one', '0'])(
  'a port (%s) whose workers are all killed',
  (of) => {
    let test: TestDatabase
    const shop = callShop({
      env: async () => {
        test = await createPostgres()
        return {
          DATABASE_URL: test.settings.url ?? '',
          WORKERS: '2',
          PORT: of === '0' ? of : await freePort(),
        }
      },
      upstream: { delayMs: 10 },
      finish: () => test.close(),
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

    const workers = () => workerProcesses(shop.app)

    /** The status, or that nobody listens. */
    const knock = async (
      path: string,
    ): Promise<{ status: number | 'refused'; answer?: Response }> => {
      try {
        const answer = await fetch(shop.app.url + path, { method: 'POST', body: '{}' })
        return { status: answer.status, answer }
      } catch {
        return { status: 'refused' }
      }
    }

    it('says 503 and when to come again until one is back, and has charged each answer once', async () => {
      const customer = await addCustomer(shop.app.root, 'ada', balance)
      const living = await vi.waitFor(async () => {
        const pids = await workers()
        expect(pids).toHaveLength(2)
        return pids
      }, eventually)
      const load = shop.load(customer, 6)
      await vi.waitFor(() => expect(shop.upstream.callCount).toBeGreaterThan(50), eventually)
      // By the list above: under load a worker may be late to tell of itself, and would live on.
      for (const pid of living) process.kill(pid, 'SIGKILL')
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
      const before = shop.upstream.callCount
      await vi.waitFor(
        () => expect(shop.upstream.callCount).toBeGreaterThan(before + 50),
        eventually,
      )
      const answers = await load.stop()
      const count = (status: number) => answers.filter((one) => one.status === status).length
      expect(count(503)).toBeGreaterThan(0)
      // What the workers had in hand, and the moments in which the port changes hands.
      expect(count(0)).toBeLessThan(count(503))
      expect(answers.length).toBe(count(0) + count(200) + count(503))
      await vi.waitFor(async () => expect(await workers()).toHaveLength(2), eventually)
      await expectChargedOnce(shop.app, customer, answers, { units, balance })
    }, 120_000)
  },
)
