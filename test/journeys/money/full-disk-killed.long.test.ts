// SQLite's disk is full, and the process is killed before there is room again: at random moments of a load.
import { spawnSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
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
import { startSteadyLoad } from '../../harness/steady-load.ts'
import { furnish } from '../nodes/common-truth.ts'

const model = 'per-call'
const priceUnits = 1_000
const rich = 100_000_000
const rounds = 6
/** Shorter than answers wait for their charges: what a client sees to its end has been committed. */
const longestFullMs = 6_000

describe.runIf(spawnSync('prlimit', ['--version']).status === 0)(
  'a gateway that is killed while its disk is full',
  () => {
    let upstream: FakeUpstream
    let app: App

    beforeAll(async () => {
      upstream = await fakeUpstream({ delayMs: 5 })
      app = await startApp()
      await furnish({ here: app, upstream })
    })

    afterAll(async () => {
      await app.close()
      await upstream.close()
    })

    /** No file may grow: what the kernel says of a full disk. */
    function fill(): void {
      const words = ['--pid', String(app.process.pid), '--fsize=4096:']
      expect(spawnSync('prlimit', words).status).toBe(0)
    }

    it('has charged what clients saw to its end, once, and nothing else', async () => {
      const customer = await addCustomer(app.root, 'ada', rich)
      for (let round = 0; round < rounds; round += 1) {
        const { url } = app
        const load = startSteadyLoad(() => ({ url, key: customer.key, model }), 6)
        const before = upstream.callCount
        await vi.waitFor(() => expect(upstream.callCount).toBeGreaterThan(before + 20), 10_000)
        fill()
        await wait((longestFullMs * round) / rounds)
        const killed = app.restart('kill')
        const answers = await load.stop()
        await killed
        customer.client = customer.client.at(app.url)
        const complete = answers.filter(({ status, isComplete }) => status === 200 && isComplete)
        const rows = await consumptionRows(app.root, customer.username)
        const ids = rows.map(({ request_id }) => request_id)
        expect(complete.length).toBeGreaterThan(0)
        expect(new Set(ids).size).toBe(ids.length)
        expect(complete.filter(({ requestId }) => !ids.includes(requestId))).toEqual([])
        expect(await balanceOf(customer)).toBe(rich - ids.length * priceUnits)
        const { code, output } = await app.command('ledger', 'verify')
        expect({ code, output }).toMatchObject({ code: 0 })
      }
    }, 180_000)
  },
)
