// WORKERS=2: two processes on one port, over one PostgreSQL.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  fakeUpstream,
  type FakeUpstream,
  setPrice,
  startApp,
  startGateway,
} from '#test'
import { expectChargedOnce, expectSoundBooks } from '../../harness/books.ts'
import { perCall } from '../../harness/call-shop.ts'
import { createPostgres, hasPostgres, type TestDatabase } from '../../harness/databases.ts'
import { metric, metricsToken, readMetrics } from '../../harness/metrics-reader.ts'
import { chat } from '../../harness/relay-call.ts'
import { startSteadyLoad } from '../../harness/steady-load.ts'
import { becomes, commonTruths, furnish, leaderCount, said } from './common-truth.ts'
import { workerProcesses } from './worker-processes.ts'

const { model, units } = perCall
const rich = 1_000_000
const soon = { timeout: 1_000, interval: 20 }
/** A worker that died is back after a pause and a start; on a loaded machine that takes its time. */
const eventually = { timeout: 30_000, interval: 100 }
/** So many at once are spread over both. */
const onBoth = 20

interface Connection {
  socket: Socket
  heard: string
  isClosed: boolean
}

/** A connection of its own that asks whether the gateway lives. */
async function opened(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const connection: Connection = { socket, heard: '', isClosed: false }
  socket.on('data', (bytes) => (connection.heard += bytes.toString()))
  socket.on('error', () => undefined)
  socket.on('close', () => (connection.isClosed = true))
  await once(socket, 'connect')
  socket.write('GET /healthz HTTP/1.1\r\nHost: gateway\r\n\r\n')
  return connection
}

interface LogLine {
  msg: string
  worker?: number
  workers?: number
}

describe.runIf(hasPostgres)('two workers on one port', () => {
  let test: TestDatabase
  let upstream: FakeUpstream
  let slow: FakeUpstream
  let app: App

  beforeAll(async () => {
    test = await createPostgres()
    upstream = await fakeUpstream({ delayMs: 10 })
    slow = await fakeUpstream({ delayMs: 100, answer: () => 'word '.repeat(30) })
    app = await startApp({
      env: {
        DATABASE_URL: test.settings.url ?? '',
        WORKERS: '2',
        TASK_POLL_SECONDS: '1',
        METRICS_TOKEN: metricsToken,
        SHUTDOWN_SECONDS: '20',
      },
    })
    await furnish({ here: app, upstream })
    await addChannel(app.root, { base_url: slow.url, models: 'slow' })
    await setPrice(app.root, 'slow', 1)
  })

  afterAll(async () => {
    await app.process.stop()
    try {
      await expectSoundBooks(app)
    } finally {
      await app.close()
      await upstream.close()
      await slow.close()
      await test.close()
    }
  })

  const lines = (): LogLine[] =>
    app.process
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as LogLine)

  const sample = (name: string) => metric(app, name)
  const processIds = () => workerProcesses(app)

  const living = () => test.database.select('SELECT id FROM nodes')

  /** Also after one has died: the one in its place dissolves it before it listens. */
  const bothServe = () =>
    vi.waitFor(async () => {
      expect(await sample('tollgate_worker_up{worker="1"}')).toBe(1)
      expect(await sample('tollgate_worker_up{worker="2"}')).toBe(1)
      expect(await living()).toHaveLength(2)
    }, eventually)

  const calls = (key: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => chat({ url: app.url, key, model })))

  it('say once that they listen, and in each other line which of them wrote it', () => {
    const listening = lines().filter(({ msg }) => msg === 'listening')
    expect(listening).toEqual([expect.objectContaining({ workers: 2 })])
    expect(listening[0]).not.toHaveProperty('worker')
    const others = lines().filter(({ msg }) => msg !== 'listening')
    expect(others.filter(({ worker }) => worker !== 1 && worker !== 2)).toEqual([])
  })

  it('let a balance of ten pay for exactly ten of 200 calls at once', async () => {
    const customer = await addCustomer(app.root, 'ten-calls', 10 * units)
    const statuses = (await calls(customer.key, 200)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(new Set(statuses)).toEqual(new Set([200, 403]))
    expect(await balanceOf(customer)).toBe(0)
  })

  it('tell a scraper, whichever of them it reaches, of both', async () => {
    const { key } = await addCustomer(app.root, 'counted', rich)
    await calls(key, onBoth)
    for (const worker of [1, 2]) {
      const name = `tollgate_calls_total{status="200",worker="${worker}"}`
      expect(await sample(name)).toBeGreaterThan(0)
      expect(await sample(`tollgate_worker_up{worker="${worker}"}`)).toBe(1)
    }
    expect((await readMetrics(app)).match(/# TYPE tollgate_calls_total counter/g)).toHaveLength(1)
  })

  it.each(commonTruths)('both know of $what within $withinMs ms', async ({ lay, withinMs }) => {
    const stage = { here: app, thereUrl: app.url, upstream }
    const { change, look, before, after } = await lay(stage)
    expect(await said(look, onBoth)).toEqual([before])
    await change()
    expect(await becomes(() => said(look, onBoth), after, withinMs)).toEqual([after])
  })

  it('count the calls of one user together, without Redis', async () => {
    const limits = { Enabled: 'true', Count: '6', SuccessCount: '1000', DurationMinutes: '1' }
    for (const [name, value] of Object.entries(limits))
      await app.root.put('/api/option/', { key: `ModelRequestRateLimit${name}`, value })
    const { key } = await addCustomer(app.root, 'hasty', rich)
    const isLimited = async () => (await calls(key, onBoth)).some(({ status }) => status === 429)
    await vi.waitFor(async () => expect(await isLimited()).toBe(true), soon)
    const other = await addCustomer(app.root, 'hasty-too', rich)
    const statuses = (await calls(other.key, onBoth)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(6)
    await app.root.put('/api/option/', { key: 'ModelRequestRateLimitEnabled', value: 'false' })
  })

  it('go on when one of them is killed, lose nothing, and are two again', async () => {
    // Until both serve again, which takes a loaded machine more than a thousand calls.
    const balance = 100 * rich
    const customer = await addCustomer(app.root, 'killed', balance)
    await vi.waitFor(async () => expect(await processIds()).toHaveLength(2), eventually)
    const [victim = 0] = await processIds()
    const load = startSteadyLoad(() => ({ url: app.url, key: customer.key, model }), 12)
    const calledBefore = upstream.callCount
    await vi.waitFor(
      () => expect(upstream.callCount).toBeGreaterThan(calledBefore + 50),
      eventually,
    )
    process.kill(victim, 'SIGKILL')
    const calledAtDeath = upstream.callCount
    await vi.waitFor(() => expect(upstream.callCount).toBeGreaterThan(calledAtDeath + 20), {
      timeout: 5_000,
    })
    await bothServe()
    await vi.waitFor(async () => expect(await leaderCount(test.database)).toBe(1), eventually)
    const answers = await load.stop()
    const complete = answers.filter(({ status, isComplete }) => status === 200 && isComplete)
    const failed = answers.filter((answer) => !complete.includes(answer))
    // Broken with their connections; none was refused.
    expect(failed.filter(({ status }) => status !== 0 && status !== 200)).toEqual([])
    expect(failed.length).toBeLessThanOrEqual(24)
    await expectChargedOnce(app, customer, answers, { units, balance })
    const deadLeases = () =>
      test.database.select(
        `SELECT node_id FROM leases WHERE kind <> 'batch' AND node_id NOT IN (SELECT id FROM nodes)`,
      )
    expect(await deadLeases()).toEqual([])
    expect(await living()).toHaveLength(2)
    expect(await sample('tollgate_worker_restarts_total{worker="1"}')).toBeLessThanOrEqual(1)
  })

  it('break off a connection that was on its way to one that is killed', async () => {
    await vi.waitFor(async () => expect(await processIds()).toHaveLength(2), eventually)
    const [victim = 0] = await processIds()
    process.kill(victim, 'SIGSTOP')
    // In turn: one of them goes to the stopped worker, which takes no further one.
    const states = await Promise.all(Array.from({ length: 6 }, () => opened(app.url)))
    await vi.waitFor(
      () => expect(states.filter(({ heard }) => heard === '')).toHaveLength(1),
      eventually,
    )
    process.kill(victim, 'SIGKILL')
    await vi.waitFor(
      () => expect(states.every(({ heard, isClosed }) => heard !== '' || isClosed)).toBe(true),
      { timeout: 5_000 },
    )
    for (const { socket } of states) socket.destroy()
  })

  it('both end their open answers at a SIGTERM to the first process', async () => {
    await bothServe()
    const { key } = await addCustomer(app.root, 'draining', rich)
    const open = Array.from({ length: 8 }, () =>
      chat({ url: app.url, key, model: 'slow', stream: true }),
    )
    await vi.waitFor(() => expect(slow.openCount).toBe(8), eventually)
    const ended = app.process.stop()
    expect((await Promise.all(open)).map(({ isComplete, status }) => [status, isComplete])).toEqual(
      Array.from({ length: 8 }, () => [200, true]),
    )
    expect(await ended).toBe(0)
    expect(await living()).toEqual([])
    await app.restart()
  })

  it('end with their answers whole when the first process is killed', async () => {
    const { key } = await addCustomer(app.root, 'orphaned', rich)
    const open = chat({ url: app.url, key, model: 'slow', stream: true })
    await vi.waitFor(() => expect(slow.openCount).toBe(1), eventually)
    await app.process.kill()
    expect(await open).toMatchObject({ status: 200, isComplete: true })
    await vi.waitFor(async () => expect(await living()).toEqual([]), eventually)
    await app.restart()
  })

  it('end at once, and are not started again, when one cannot start', async () => {
    const env = { DATABASE_URL: test.settings.url ?? '', WORKERS: '2', DATA_DIR: app.dataDir }
    const port = new URL(app.url).port
    const failed = await startGateway({ env: { ...env, PORT: port, HOST: '127.0.0.1' } }).then(
      () => '',
      (error: Error) => error.message,
    )
    expect(failed).toContain('ended with code 1')
    expect(failed.match(/is in use by another program/g)).toHaveLength(1)
    expect(failed).toMatch(/^Tollgate did not start: worker 1 ended with code 1/m)
  })
})

describe('several workers on SQLite', () => {
  it('are refused with a sentence that says what to do', async () => {
    const failed = startApp({ env: { WORKERS: '2' } })
    await expect(failed).rejects.toThrow(
      /^Tollgate did not start: WORKERS is 2, but .* set DATABASE_URL to a PostgreSQL database, or WORKERS to 1$/m,
    )
  })

  it('are one where the number is left to the gateway', async () => {
    const app = await startApp({ env: { WORKERS: 'auto' } })
    expect(app.process.log()).not.toContain('"worker"')
    await app.close()
  })
})
