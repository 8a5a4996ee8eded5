// The machine's clock is set forward or back while answers are open: nothing ends early, nothing waits for the clock to catch up.
import { mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { balanceOf, consumptionRows } from '#test'
import { expectSoundBooks } from '../../harness/books.ts'
import { openEnded } from '../../harness/chat-chunks.ts'
import { relayRoom } from '../../harness/relay-room.ts'

const model = 'timeless'
const ONE_DAY_MS = 86_400_000
const balance = 1_000_000
const pagesAtOnce = 5
const clock = new URL('../../harness/faults/movable-clock.js', import.meta.url).href
const folder = mkdtempSync(join(tmpdir(), 'tollgate-clock-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const room = relayRoom({
  isWithin: false,
  channels: [{ models: model }],
  priced: [model],
  customer: 'timekeeper',
  balance,
  isAnew: true,
  env: {
    NODE_OPTIONS: `--import ${clock}`,
    CLOCK_FILE: join(folder, 'shift'),
    STREAMING_TIMEOUT: '60',
    GLOBAL_WEB_RATE_LIMIT_ENABLE: 'true',
    GLOBAL_WEB_RATE_LIMIT: String(pagesAtOnce),
    GLOBAL_WEB_RATE_LIMIT_DURATION: '2',
  },
})

async function setClock(awayMs: number): Promise<void> {
  await writeFile(join(folder, 'shift'), String(awayMs))
  process.kill(room.app.process.pid, 'SIGUSR2')
  const said = `the clock stands ${awayMs} ms away`
  await expect.poll(() => room.app.process.log()).toContain(said)
}

const call = () =>
  room.post('/v1/chat/completions', {
    model,
    stream: true,
    messages: [{ role: 'user', content: 'Hi' }],
  })

/** A page, which the limit by address counts. */
const load = async () => (await fetch(`${room.app.url}/console`)).status

describe.each([
  { name: 'forward by a day', awayMs: ONE_DAY_MS },
  { name: 'back by a day', awayMs: -ONE_DAY_MS },
  { name: 'back by two minutes', awayMs: -120_000 },
])('a clock that is set $name', ({ awayMs }) => {
  it('costs no call under way, no session, no place and no unit', async () => {
    const finish = openEnded(room.upstream)
    const open = await call()
    await setClock(awayMs)
    try {
      const later = await call()
      finish()
      for (const answer of [open, later]) expect(await answer.text()).toContain('[DONE]')
      const rows = await consumptionRows(room.app.root, room.customer.username)
      expect(rows.map(({ quota }) => quota)).toEqual([15, 15])
      for (const { use_time } of rows) {
        expect(use_time).toBeGreaterThanOrEqual(0)
        expect(use_time).toBeLessThan(60)
      }
      expect(await balanceOf(room.customer)).toBe(balance - 30)
      expect((await fetch(`${room.app.url}/readyz`)).status).toBe(200)
      // The window of the limit by address slides on by the time that has passed.
      const pages = await Promise.all(Array.from({ length: 4 * pagesAtOnce }, load))
      expect(pages).toContain(429)
      await expect.poll(load, { interval: 250 }).not.toBe(429)
    } finally {
      await setClock(0)
    }
    expect(await (await call()).text()).toContain('[DONE]')
    expect(await balanceOf(room.customer)).toBe(balance - 45)
    await expectSoundBooks(room.app)
  })
})
