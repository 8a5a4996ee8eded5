// Every route as every caller with every hostile body: no answer of 500 or later than two seconds, no word of the inside, books in order.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addChannel, type App, setPrice, startApp } from '#test'
import { gatewayDatabases } from '../harness/gateway-databases.ts'
import { allDialectsUpstream } from './agreeable-upstream.ts'
import { type FuzzCaller, fuzzCallers } from './callers.ts'
import {
  callsOf,
  type FuzzFault,
  type FuzzRoute,
  readRoutes,
  send,
  summaryOf,
} from './hostile-calls.ts'
import { fuzzModels } from './sound-bodies.ts'

/** The peak of the whole run; an idle gateway needs about 200. */
const mostMegabytes = 1_000
const parallel = 4
const enoughRefusals = 70

describe.each(gatewayDatabases)(
  'every route, every role, every hostile body, on $name',
  ({ open }) => {
    let app: App
    let upstream: Awaited<ReturnType<typeof allDialectsUpstream>>
    let database: Awaited<ReturnType<typeof open>>
    let callers: FuzzCaller[]
    let routes: FuzzRoute[]
    const faults: FuzzFault[] = []

    beforeAll(async () => {
      database = await open()
      upstream = await allDialectsUpstream()
      app = await startApp({
        env: { ...database.env, MAX_REQUEST_BODY_MB: '32' },
      })
      for (const model of fuzzModels) await setPrice(app.root, model, 0.01)
      await addChannel(app.root, { base_url: upstream.url, models: fuzzModels.join(',') })
      callers = await fuzzCallers(app)
      routes = await routesOf(app)
    })

    afterAll(async () => {
      await app?.close()
      await upstream.close()
      await database.close()
    })

    it('knows the routes', () => {
      const paths = routes.map(({ path }) => path)
      expect(paths).toContain('/v1/chat/completions')
      expect(paths).toContain('/api/channel/')
      expect(routes.length).toBeGreaterThan(200)
    })

    it('answers all of it below 500, within two seconds, telling nothing of its inside', async () => {
      let count = 0
      const pool = new Pool(app.url, { connections: parallel })
      for (const caller of callers) {
        for (const route of routes) {
          count += await fuzzRoute(pool, caller, route, faults)
        }
      }
      await pool.close()
      console.log(`${count} calls, peak memory ${peakMegabytes(app)} MB`)
      expect(summaryOf(faults)).toEqual([])
      expect(count).toBeGreaterThan(20_000)
    })

    it('is the same process, within its memory, with its books in order', async () => {
      expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
      expect(app.process.log()).not.toMatch(/unhandled error|was not handled/)
      expect(peakMegabytes(app)).toBeLessThan(mostMegabytes)
      await app.process.stop()
      expect(await app.command('ledger', 'verify')).toMatchObject({ code: 0 })
    })
  },
)

/** `tollgate routes` takes a data directory of its own: the gateway's is in use. */
async function routesOf(app: App): Promise<FuzzRoute[]> {
  const place = await mkdtemp(join(tmpdir(), 'tollgate-routes-'))
  try {
    const { code, output } = await app.commandIn({ DATA_DIR: place, DATABASE_URL: '' }, 'routes')
    expect(code, output).toBe(0)
    return readRoutes(output)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** Calls of one route, a few at a time. */
async function fuzzRoute(
  pool: Pool,
  caller: FuzzCaller,
  route: FuzzRoute,
  faults: FuzzFault[],
): Promise<number> {
  const calls = callsOf(route)
  let count = 0
  let refused = 0
  const work = async () => {
    for (const call of calls) {
      const { status, fault } = await send(pool, caller, call)
      count += 1
      if (status === 401) refused += 1
      if (fault) faults.push(fault)
      // Whoever is not let in gets no further with other fields.
      if (refused >= enoughRefusals && refused === count) return
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  if (refused > 0) await caller.renew()
  return count
}

function peakMegabytes(app: App): number {
  const status = readFileSync(`/proc/${app.process.pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}
