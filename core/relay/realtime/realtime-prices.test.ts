// What a realtime session pays besides plain answers: cached pictures, and speech that another model writes down.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import {
  addChannel,
  addCustomer,
  type App,
  balanceOf,
  consumptionRows,
  type Customer,
  type ShownLog,
  startApp,
} from '#test'
import {
  type Frame,
  RealtimeClient,
  sendFrame,
} from '../../../test/harness/counterparts/frame-clients.ts'

const model = 'gpt-realtime'
const balance = 1_000_000
let app: App
let upstream: WebSocketServer
let customer: Customer
let customers = 0

beforeAll(async () => {
  upstream = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(upstream, 'listening')
  app = await startApp({ isWithin: true, env: { DRAIN_SECONDS: '0' } })
  const { port } = upstream.address() as AddressInfo
  await addChannel(app.root, { base_url: `http://127.0.0.1:${port}`, models: model })
  const ratios = {
    ModelRatio: 1,
    CompletionRatio: 2,
    AudioRatio: 10,
    AudioCompletionRatio: 2,
    ImageRatio: 4,
    CacheRatio: 0.5,
  }
  for (const [key, value] of Object.entries(ratios))
    await app.root.put('/api/option/', { key, value: JSON.stringify({ [model]: value }) })
})

afterAll(async () => {
  await app.close()
  upstream.close()
})

/** The row of a session in which the upstream says this when it hears something, and the balance before its end. */
async function booked(
  frames: Frame[],
  session: Frame = {},
): Promise<{ left: number; row: ShownLog }> {
  customers += 1
  customer = await addCustomer(app.root, `speaker${customers}`, balance)
  upstream.once('connection', (socket) => {
    sendFrame(socket, { type: 'session.created', session: { id: 'sess_1', ...session } })
    socket.on('message', () => frames.forEach((frame) => sendFrame(socket, frame)))
  })
  const client = await new RealtimeClient(app.url, customer.key, { model }).opened()
  client.send({ type: 'input_audio_buffer.append', audio: 'A'.repeat(128_000) })
  await client.frame(String(frames.at(-1)?.['type']))
  const left = await balanceOf(customer)
  client.socket.close()
  await client.closed
  await expect.poll(() => consumptionRows(app.root, customer.username)).toHaveLength(1)
  const [row] = await consumptionRows(app.root, customer.username)
  return { left, row: row as ShownLog }
}

const answer = (usage: Frame): Frame[] => [
  { type: 'response.created', response: { id: 'resp_1' } },
  { type: 'response.output_text.delta', delta: 'Hello' },
  { type: 'response.done', response: { id: 'resp_1', usage } },
]

it('cached pictures and sound are charged once, at the price of the cache', async () => {
  const details = {
    text_tokens: 10,
    audio_tokens: 20,
    image_tokens: 100,
    cached_tokens: 90,
    cached_tokens_details: { text_tokens: 5, audio_tokens: 5, image_tokens: 80 },
  }
  const usage = { input_tokens: 130, output_tokens: 10, input_token_details: details }
  const { row } = await booked(answer(usage))
  expect(row.quota).toBe(5 + 15 * 10 + 20 * 4 + 90 * 0.5 + 10 * 2)
})

it('an answer beside another that is done is charged for what was delivered of it', async () => {
  const done = answer({ input_tokens: 30, output_tokens: 10 })
  const beside = [
    { type: 'response.created', response: { id: 'resp_2' } },
    { type: 'response.output_text.delta', delta: 'Hello there' },
  ]
  const { left, row } = await booked([beside[0] ?? {}, ...done, beside[1] ?? {}, { type: 'end' }])
  expect(left).toBe(balance - 50)
  // "Hello there" is two tokens, each of two units.
  expect(row.quota).toBe(50 + 4)
})

const heard = 'conversation.item.input_audio_transcription.completed'
/** 500 000 units a dollar, and 0.0001 dollars a second. */
const unitsPerSecond = 50

describe('speech that another model writes down', () => {
  it.each([
    [{ usage: { type: 'duration', seconds: 7.2 } }, 7],
    [{ usage: { type: 'tokens', input_token_details: { audio_tokens: 81 } } }, 9],
    // 96 000 bytes of 48 000 a second.
    [{}, 2],
  ])(
    'is charged by the second before it is told, without an answer: %j',
    async (usage, seconds) => {
      const units = seconds * unitsPerSecond
      const { left, row } = await booked([{ type: heard, transcript: 'Hi', ...usage }])
      expect(left).toBe(balance - units)
      expect(row).toMatchObject({ quota: units, prompt_tokens: 0 })
      const { receipt } = JSON.parse(row.other) as { receipt: Frame }
      expect(receipt).toMatchObject({
        lines: [{ part: 'tool:input_transcription', count: seconds }],
      })
    },
  )

  it('is charged with the answer under way, at the price of the model that writes', async () => {
    const [begun = {}, ...rest] = answer({ input_tokens: 30, output_tokens: 10 })
    const usage = { type: 'duration', seconds: 10 }
    const transcription = { model: 'gpt-4o-mini-transcribe' }
    const { left, row } = await booked([begun, { type: heard, transcript: 'Hi', usage }, ...rest], {
      audio: { input: { transcription } },
    })
    const units = 30 + 10 * 2 + 10 * (unitsPerSecond / 2)
    expect(left).toBe(balance - units)
    expect(row.quota).toBe(units)
  })
})
