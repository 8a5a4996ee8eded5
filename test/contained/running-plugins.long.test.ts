// Plugins that load well and do wrong later: calls go on, what keeps failing is parked, and who ends the process is left out of the next one.
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
import { type MadeFolders, makeFolders, serving } from './plugin-folders.ts'

const boom = `throw new Error('out of order')`
const hook = (stage: string, onFailure: string, body: string) =>
  `services.relayHooks.add({ id: 'h', stage: '${stage}', onFailure: '${onFailure}', deadlineMs: 20, run: async () => { ${body} } })`

const bad = [
  serving('b-status', `services.statusFields.add({ id: 'b_status', value() { ${boom} } })`),
  serving(
    'b-promise',
    `services.statusFields.add({ id: 'b_promise', value: () => Promise.reject(new Error('x')) })`,
  ),
  serving('b-job', `services.jobs.add({ id: 'b-job', everyMs: 20, run: async () => { ${boom} } })`),
  serving(
    'b-idle',
    `services.jobs.add({ id: 'b-idle', everyMs: 20, run: () => new Promise(() => undefined) })`,
  ),
  serving(
    'b-period',
    `services.jobs.add({ id: 'b-period', everyMs() { ${boom} }, run: async () => {} })`,
  ),
  serving('b-hook', hook('relay.admit', 'open', boom)),
  serving('b-late', hook('relay.send', 'open', 'await new Promise(() => undefined)')),
  serving('b-after', hook('relay.answer', 'closed', boom)),
  serving('b-request', hook('relay.request', 'open', boom)),
  // One that is closed refuses calls once it is parked, for nobody would hear of them.
  serving('b-observer', hook('relay.observe', 'open', boom)),
  serving(
    'b-text',
    `services.relayHooks.add({ id: 'h', stage: 'relay.text', onFailure: 'open', open() { ${boom} } })`,
  ),
  serving(
    'b-cache',
    `services.responseCaches.add({ id: 'c', scope: 'user', priceShare: 0, applies: () => true, lookup() { ${boom} }, store() { ${boom} } })`,
  ),
  serving(
    'b-policy',
    `services.routingPolicies.add({ id: 'p', applies() { ${boom} }, choose() { ${boom} } })`,
  ),
  serving('b-limiter', `services.rateLimiters.add({ id: 'l', admit() { ${boom} } })`),
  serving('b-sink', `services.logSinks.add({ id: 's', write() { ${boom} } })`),
  serving('b-event', `services.events.on('relay.settled', async () => { ${boom} })`),
  serving('b-option', `services.options.onChange(() => { ${boom} })`),
  serving(
    'b-floats',
    `services.events.on('relay.settled', () => { void Promise.reject(new Error('floating')) })`,
  ),
  serving('b-end', `return () => { ${boom} }`),
  serving(
    'b-close',
    `services.routes.add((app) => { app.addHook('onClose', async () => { await new Promise(() => undefined) }) })`,
  ),
]
const crashing = serving(
  'b-timer',
  `services.events.on('option.changed', () => { setTimeout(() => { throw new Error('in a timer') }, 1) })`,
)

interface Row {
  id: string
  source: string
  state: string
  error: string
  hooks: { point: string; calls: number; errors: number; late: number; is_parked: boolean }[]
}

let folders: MadeFolders
let app: App
let upstream: FakeUpstream
let customer: Customer

beforeAll(async () => {
  folders = await makeFolders([...bad, crashing])
  upstream = await fakeUpstream()
  app = await startApp({
    env: { PLUGIN_DIRS: folders.path, PLUGIN_LOAD_SECONDS: '2' },
    plugins: bad.map(({ id }) => id),
  })
  await addChannel(app.root, { base_url: upstream.url, models: 'bad-model' })
  await setPrice(app.root, 'bad-model', 1)
  customer = await addCustomer(app.root, 'bad-customer', 1_000_000)
}, 120_000)

afterAll(async () => {
  await app.close()
  await upstream.close()
  await folders.remove()
})

const rowOf = async (id: string) =>
  (await app.root.get<Row[]>('/api/plugin/')).find((row) => row.id === id)

async function callRelay(): Promise<number> {
  const answer = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bad-model', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await answer.arrayBuffer()
  return answer.status
}

describe('plugins that fail while they serve', () => {
  it('cost no call, and their hooks are counted and parked', async () => {
    for (let round = 0; round < 12; round += 1) {
      expect(await callRelay()).toBe(200)
      expect(await app.root.get('/api/status')).not.toHaveProperty('b_status')
    }
    expect((await rowOf('b-hook'))?.hooks).toMatchObject([
      { point: 'relay.admit', calls: 10, errors: 10, is_parked: true },
    ])
    expect((await rowOf('b-late'))?.hooks).toMatchObject([
      { point: 'relay.send', calls: 10, late: 10, is_parked: true },
    ])
    expect((await rowOf('b-limiter'))?.hooks[0]).toMatchObject({ errors: 10, is_parked: true })
    expect((await rowOf('b-status'))?.hooks[0]).toMatchObject({ is_parked: true })
    expect((await rowOf('b-job'))?.hooks[0]?.errors).toBeGreaterThan(0)
    expect(app.process.log()).toContain('keeps failing and is no longer called')
  })

  it('are called again when somebody unparks them', async () => {
    await app.root.post('/api/plugin/unpark', { id: 'b-hook' })
    expect(await callRelay()).toBe(200)
    expect((await rowOf('b-hook'))?.hooks[0]).toMatchObject({ calls: 11, is_parked: false })
  })

  it('let others be switched, and themselves', async () => {
    await app.root.put('/api/plugin/', { id: 'pricing', enabled: false })
    await app.root.put('/api/plugin/', { id: 'pricing', enabled: true })
    for (const { id } of bad) await app.root.put('/api/plugin/', { id, enabled: false })
    expect(await callRelay()).toBe(200)
  }, 60_000)
})

describe('a plugin that ends the process from a timer', () => {
  const crash = async () => {
    const change = { key: 'SystemName', value: `Tollgate ${Math.random()}` }
    // The answer may be cut off with the process.
    await app.root.put('/api/option/', change).catch(() => undefined)
    await expect
      .poll(() =>
        fetch(`${app.url}/healthz`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(false)
  }

  it('is left out of the next start by name, and parked when it does so again', async () => {
    await app.root.switchPlugin('b-timer', true)
    await crash()
    await app.restart()
    expect(await rowOf('b-timer')).toMatchObject({ state: 'failed' })
    expect((await rowOf('b-timer'))?.error).toContain('in a timer')
    await app.restart()
    expect(await rowOf('b-timer')).toMatchObject({ state: 'on' })
    await crash()
    await app.restart()
    expect(await rowOf('b-timer')).toMatchObject({ state: 'parked' })
    expect(await callRelay()).toBe(200)
  }, 60_000)
})

describe('a start with --safe', () => {
  it('loads nothing from outside', async () => {
    await app.root.post('/api/plugin/unpark', { id: 'b-timer' }).catch(() => undefined)
    await app.restart('stop', ['--safe'])
    expect(await rowOf('b-timer')).toMatchObject({ state: 'off' })
    expect((await rowOf('b-timer'))?.error).toContain('--safe')
    const refused = await app.root.call('PUT', '/api/plugin/', { id: 'b-status', enabled: true })
    expect(refused).toMatchObject({ success: false, code: 'plugins.safe_mode' })
    expect(await callRelay()).toBe(200)
  })
})
