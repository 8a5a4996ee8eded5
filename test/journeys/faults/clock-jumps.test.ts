// The machine's clock is set forward or back while answers are open: nothing ends early, nothing waits for the clock to catch up.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  consumptionRows,
  type Customer,
  setPrice,
  startApp,
} from '#test'
import { chunk, lastChunks } from '../../harness/chat-chunks.ts'
import {
  flushed,
  type ScriptedUpstream,
  scriptedUpstream,
  writeEvents,
} from '../../harness/scripted-upstream.ts'

const model = 'timeless'
const ONE_DAY_MS = 86_400_000
const balance = 1_000_000
const pagesAtOnce = 5
const clock = new URL('../../harness/movable-clock.js', import.meta.url).href

let folder: string
let app: App
let upstream: ScriptedUpstream
let customer: Customer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-clock-'))
  upstream = await scriptedUpstream()
  app = await startApp({
    env: {
      NODE_OPTIONS: `--import ${clock}`,
      CLOCK_FILE: join(folder, 'shift'),
      STREAMING_TIMEOUT: '5',
      GLOBAL_WEB_RATE_LIMIT_ENABLE: 'true',
      GLOBAL_WEB_RATE_LIMIT: String(pagesAtOnce),
      GLOBAL_WEB_RATE_LIMIT_DURATION: '2',
    },
  })
  await setPrice(app.root, model, 1)
  await addChannel(app.root, { base_url: upstream.url, models: model })
})

afterAll(async () => {
  await app.close()
  await upstream.close()
  await rm(folder, { recursive: true, force: true })
})

async function setClock(awayMs: number): Promise<void> {
  await writeFile(join(folder, 'shift'), String(awayMs))
  process.kill(app.process.pid, 'SIGUSR2')
  const said = `the clock stands ${awayMs} ms away`
  await vi.waitFor(() => expect(app.process.log()).toContain(said), { timeout: 5_000 })
}

const call = () =>
  fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
  })

/** A page, which the limit by address counts. */
const load = async () => (await fetch(`${app.url}/console`)).status

/** Answers that begin, and end when they are told to. */
function openEnded(): () => void {
  const gate = Promise.withResolvers<void>()
  upstream.behave(async (response) => {
    writeEvents(response, [chunk('one two three')])
    await flushed(response)
    await gate.promise
    writeEvents(response, lastChunks({ prompt_tokens: 10, completion_tokens: 5 }))
    response.end()
  })
  return gate.resolve
}

describe.each([
  { name: 'forward by a day', awayMs: ONE_DAY_MS },
  { name: 'back by a day', awayMs: -ONE_DAY_MS },
  { name: 'back by two minutes', awayMs: -120_000 },
])('a clock that is set $name', ({ name, awayMs }) => {
  it('costs no call under way, no session, no place and no unit', async () => {
    customer = await addCustomer(app.root, `at-${name.replaceAll(' ', '-')}`.slice(0, 20), balance)
    const finish = openEnded()
    const open = await call()
    await setClock(awayMs)
    try {
      const later = await call()
      finish()
      for (const answer of [open, later]) expect(await answer.text()).toContain('[DONE]')
      const rows = await consumptionRows(app.root, customer.username)
      expect(rows.map(({ quota }) => quota)).toEqual([15, 15])
      for (const { use_time } of rows) {
        expect(use_time).toBeGreaterThanOrEqual(0)
        expect(use_time).toBeLessThan(60)
      }
      expect(await balanceOf(customer)).toBe(balance - 30)
      expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
      // The window of the limit by address slides on by the time that has passed.
      for (let page = 0; page < pagesAtOnce; page += 1) await load()
      expect(await load()).toBe(429)
      await vi.waitFor(async () => expect(await load()).not.toBe(429), {
        timeout: 5_000,
        interval: 250,
      })
    } finally {
      await setClock(0)
    }
    expect(await (await call()).text()).toContain('[DONE]')
    expect(await balanceOf(customer)).toBe(balance - 45)
    const { code, output } = await app.command('ledger', 'verify')
    expect({ code, output }).toMatchObject({ code: 0 })
  })
})
