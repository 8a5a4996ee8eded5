// SIGTERM while answers are open: what ends in time ends, what does not is cut off, and all of it is booked before the exit.
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  consumptionRows,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  setPrice,
  startApp,
} from '#test'

const model = 'slow-model'

let app: App
let upstream: FakeUpstream

beforeAll(async () => {
  // Some 20 seconds of words.
  upstream = await fakeUpstream({ delayMs: 250, answer: () => 'word '.repeat(80) })
  app = await startApp({ env: { SHUTDOWN_SECONDS: '2' } })
  await setPrice(app.root, model, 1)
  await addChannel(app.root, { base_url: upstream.url, models: model })
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

interface Reader {
  words: number
  leave: () => void
  over: Promise<void>
}

/** Reads the stream and counts; resolves at its third word. */
function reading({ key }: Customer): Promise<Reader> {
  return new Promise((resolve) => {
    const call = request(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    const over = new Promise<void>((ended) => void call.once('close', ended))
    const reader: Reader = { words: 0, leave: () => void call.destroy(), over }
    call.on('error', () => undefined)
    call.on('response', (response) => {
      response.on('error', () => undefined)
      response.on('data', (data: Buffer) => {
        reader.words += data.toString().split('"word ').length - 1
        if (reader.words >= 3) resolve(reader)
      })
    })
    call.end(JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hi' }] }))
  })
}

describe('a stop that comes before the answers end', () => {
  it('books what was delivered, to those who stayed and to those who had left', async () => {
    const [stayed, left] = [
      await addCustomer(app.root, 'stayed', 1_000_000),
      await addCustomer(app.root, 'left', 1_000_000),
    ]
    const [staying, leaving] = await Promise.all([reading(stayed), reading(left)])
    leaving.leave()
    await wait(100)
    await app.restart()
    await staying.over
    for (const [customer, words] of [
      [stayed, staying.words],
      [left, leaving.words],
    ] as const) {
      const rows = await consumptionRows(app.root, customer.username)
      expect(rows).toHaveLength(1)
      expect(JSON.parse(rows[0]?.other ?? '{}')).toMatchObject({ end: 'client_left_counted' })
      expect(Math.abs(Number(rows[0]?.['completion_tokens']) - words)).toBeLessThanOrEqual(2)
      const account = await app.root.get<{ quota: number }>(`/api/user/${customer.id}`)
      expect(account.quota).toBe(1_000_000 - (rows[0]?.quota ?? 0))
    }
  }, 30_000)
})
